package apperr

// Code is the stable identifier of an error, for programs. It is in lower snake case; a
// published code never changes its meaning.
type Code string

// The codes of answers, in the order of their statuses. docs/errors.md says what each one
// means. Some belong to operations that are not built yet.
const (
	CodeValidationError           Code = "validation_error"            // 400
	CodeInvalidJSON               Code = "invalid_json"                // 400
	CodeInvalidCursor             Code = "invalid_cursor"              // 400
	CodeInvalidURL                Code = "invalid_url"                 // 400
	CodeURLNotAllowed             Code = "url_not_allowed"             // 400
	CodeUnsupportedFormat         Code = "unsupported_format"          // 400
	CodeObjectMissing             Code = "object_missing"              // 400
	CodeObjectEmpty               Code = "object_empty"                // 400
	CodeObjectTooLarge            Code = "object_too_large"            // 400
	CodeQuestionTooLong           Code = "question_too_long"           // 400
	CodeChannelVerificationFailed Code = "channel_verification_failed" // 400
	CodeBotTokenInvalid           Code = "bot_token_invalid"           // 400
	CodeWebhookNotConfigured      Code = "webhook_not_configured"      // 400
	CodeUnsupportedGrantType      Code = "unsupported_grant_type"      // 400
	CodeInvalidGrant              Code = "invalid_grant"               // 400
	CodeCrawlUnreachable          Code = "crawl_unreachable"           // 400
	CodeCredentialsInvalid        Code = "credentials_invalid"         // 400
	CodeUnknownModel              Code = "unknown_model"               // 400
	CodeAmbiguousDocument         Code = "ambiguous_document"          // 409
	CodeSchemaTooLarge            Code = "schema_too_large"            // 400
	CodeUnauthenticated           Code = "unauthenticated"             // 401
	CodeTokenExpired              Code = "token_expired"               // 401
	CodeInvalidKey                Code = "invalid_key"                 // 401
	CodeKeyRevoked                Code = "key_revoked"                 // 401
	CodeWrongEnvironment          Code = "wrong_environment"           // 401
	CodeInvalidSignature          Code = "invalid_signature"           // 400, 401
	CodeInvalidIDToken            Code = "invalid_id_token"            // 401
	CodePlanRequired              Code = "plan_required"               // 402, 403
	CodeRoleRequired              Code = "role_required"               // 403
	CodeOriginRequired            Code = "origin_required"             // 403
	CodeOriginNotAllowed          Code = "origin_not_allowed"          // 403
	CodeIPNotAllowed              Code = "ip_not_allowed"              // 403
	CodePrivateShare              Code = "private_share"               // 403
	CodeVerifyTokenMismatch       Code = "verify_token_mismatch"       // 403
	CodePlanLimitReached          Code = "plan_limit_reached"          // 403
	CodeFeatureDisabled           Code = "feature_disabled"            // 403
	CodeOwnerProtected            Code = "owner_protected"             // 403
	CodeCompanySuspended          Code = "company_suspended"           // 403
	CodeCompanyRequired           Code = "company_required"            // 403
	CodeSchemaBuiltin             Code = "schema_builtin"              // 403
	CodeNotFound                  Code = "not_found"                   // 404
	CodeShareNotFound             Code = "share_not_found"             // 404
	CodeBotNotInstalled           Code = "bot_not_installed"           // 404
	CodeSchemaNotFound            Code = "schema_not_found"            // 404
	CodeMethodNotAllowed          Code = "method_not_allowed"          // 405
	CodeAlreadyEscalated          Code = "already_escalated"           // 409
	CodeNumberInUse               Code = "number_in_use"               // 409
	CodeNotReady                  Code = "not_ready"                   // 409
	CodeAlreadyMember             Code = "already_member"              // 409
	CodeAlreadyActive             Code = "already_active"              // 409
	CodeAlreadyInCompany          Code = "already_in_company"          // 409
	CodeAlreadyOnPlan             Code = "already_on_plan"             // 409
	CodeLastAdmin                 Code = "last_admin"                  // 409
	CodeIdempotencyMismatch       Code = "idempotency_mismatch"        // 409
	CodeVersionConflict           Code = "version_conflict"            // 409
	CodeSlugTaken                 Code = "slug_taken"                  // 409
	CodeDuplicateDocument         Code = "duplicate_document"          // 409
	CodeStillRead                 Code = "still_read"                  // 409
	CodeRunOver                   Code = "run_over"                    // 409
	CodeSchemaArchived            Code = "schema_archived"             // 409
	CodeSchemaExists              Code = "schema_exists"               // 409
	CodeJobNotConfirmable         Code = "job_not_confirmable"         // 409
	CodePayloadTooLarge           Code = "payload_too_large"           // 413
	CodeUnsupportedMediaType      Code = "unsupported_media_type"      // 415
	CodeRateLimited               Code = "rate_limited"                // 429
	CodeQuotaExceeded             Code = "quota_exceeded"              // 429
	CodeLeadLimit                 Code = "lead_limit"                  // 429
	CodeDailyJobLimit             Code = "daily_job_limit"             // 429
	CodeInternalError             Code = "internal_error"              // 500
	CodeSigningSecretMissing      Code = "signing_secret_missing"      // 500
	CodeNotImplemented            Code = "not_implemented"             // 501
	CodeProviderError             Code = "provider_error"              // 502
	CodeNotConfigured             Code = "not_configured"              // 503
	CodeBillingNotConfigured      Code = "billing_not_configured"      // 503
	CodeUnavailable               Code = "unavailable"                 // 503
	CodeIDPUnavailable            Code = "idp_unavailable"             // 503
	CodeShuttingDown              Code = "shutting_down"               // 503
	CodeEnqueueFailed             Code = "enqueue_failed"              // 503
	CodeProviderTimeout           Code = "provider_timeout"            // 504
)

// The codes of jobs: they say why a job or a document failed, or was postponed.
const (
	CodeParseFailed       Code = "parse_failed"
	CodePasswordProtected Code = "password_protected"
	CodeTooManyPages      Code = "too_many_pages"
	CodeTextTooLong       Code = "text_too_long"
	CodeNoText            Code = "no_text"
	CodeTimeout           Code = "timeout"
	CodeDiskFull          Code = "disk_full"
	CodeProjectArchived   Code = "project_archived"
)
