package signin

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/outbox"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
)

// register links a subject that signs in for the first time to an account: the one that an
// invitation to the same verified address has created, or a new one.
func (s *Service) register(ctx context.Context, subject string, who profile) error {
	return s.deps.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		q := dbsqlc.New()
		if err := q.SignInLock(ctx, tx, s.deps.Provider+"\x1f"+subject); err != nil {
			return fmt.Errorf("order first sign-ins: %w", err)
		}
		_, err := q.IdentityGet(ctx, tx, dbsqlc.IdentityGetParams{Provider: s.deps.Provider, Subject: subject})
		if err == nil {
			return nil // another request has registered the subject meanwhile
		}
		if !store.IsNoRows(err) {
			return fmt.Errorf("read an identity: %w", err)
		}
		userID, err := s.account(ctx, tx, who)
		if err != nil {
			return err
		}
		err = q.IdentityCreate(ctx, tx, dbsqlc.IdentityCreateParams{
			Provider: s.deps.Provider, Subject: subject, UserID: userID, Email: who.email, EmailVerified: who.verified, Now: s.deps.Clock.Now(),
		})
		if err != nil {
			return fmt.Errorf("store an identity: %w", err)
		}
		return nil
	})
}

func (s *Service) account(ctx context.Context, tx pgx.Tx, who profile) (userID string, err error) {
	if who.verified {
		userID, err = dbsqlc.New().UserIDByInvitedEmail(ctx, tx, who.email)
		if err == nil {
			return userID, nil
		}
		if !store.IsNoRows(err) {
			return "", fmt.Errorf("look for an invitation: %w", err)
		}
	}
	user, err := dbsqlc.New().UserCreate(ctx, tx, dbsqlc.UserCreateParams{UserID: ids.New(ids.User), Email: who.email, Now: s.deps.Clock.Now()})
	if err != nil {
		return "", fmt.Errorf("store a user: %w", err)
	}
	return user.UserID, nil
}

func (s *Service) updateProfile(ctx context.Context, subject string, who profile) error {
	err := dbsqlc.New().IdentityEmailSet(ctx, s.deps.Store.Pool(), dbsqlc.IdentityEmailSetParams{
		Email: who.email, EmailVerified: who.verified, Provider: s.deps.Provider, Subject: subject,
	})
	if err != nil {
		return fmt.Errorf("store an address: %w", err)
	}
	return nil
}

// join activates the invitation to the person's verified address, if one is pending.
//
// Source: docs/decisions.md#invitations.
func (s *Service) join(ctx context.Context, subject string, row dbsqlc.IdentityMembershipRow) (dbsqlc.IdentityMembershipRow, error) {
	joined := false
	err := s.deps.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		now := s.deps.Clock.Now()
		m, err := dbsqlc.New().MemberActivate(ctx, tx, dbsqlc.MemberActivateParams{
			UserID: row.UserID, Now: now, Email: row.Email, NotBefore: now.Add(-invitationLength),
		})
		if store.IsNoRows(err) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("activate an invitation: %w", err)
		}
		joined = true
		ctx = authn.With(ctx, authn.Principal{Kind: authn.KindUser, UserID: m.UserID, Email: m.Email, CompanyID: m.CompanyID})
		return outbox.Record(ctx, tx, m.CompanyID, outbox.Event{
			Type: outbox.MemberJoined, ResourceType: "member", ResourceID: m.UserID, ResourceName: m.Email, Summary: "joined the workspace", At: now,
		})
	})
	if err != nil && !store.IsUniqueViolation(err, "members_one_active_key") {
		return row, err
	}
	if err == nil && !joined {
		return row, nil
	}
	row, _, err = s.membership(ctx, subject)
	return row, err
}
