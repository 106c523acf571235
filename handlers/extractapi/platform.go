package extractapi

import (
	"context"

	oas "docqa/gen/extractapi"
)

// PlatformAPI serves operations that need no credential.
type PlatformAPI struct {
	Enabled bool
	Version string
}

// GetExtractHealth says whether the Extract API is enabled.
//
// Source: Extract API section 4; docs/decisions.md#services-of-one-binary, #extract-switch.
func (p *PlatformAPI) GetExtractHealth(context.Context) (*oas.ExtractHealth, error) {
	check := "disabled"
	if p.Enabled {
		check = "ok"
	}
	return &oas.ExtractHealth{Status: "ok", Version: p.Version, Checks: oas.ExtractHealthChecks{Extract: check}}, nil
}
