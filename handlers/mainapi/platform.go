package mainapi

import (
	"context"

	oas "docqa/gen/mainapi"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
)

// PlatformAPI answers what needs no credential. Config and Dev are fixed at start.
type PlatformAPI struct {
	Clock  clock.Clock
	Config oas.PublicConfig
	Dev    *oas.DevInfo // nil in staging and production: 404
}

// GetHealth says that the process answers.
//
// Source: main API section 4.1.
func (p *PlatformAPI) GetHealth(context.Context) (*oas.Health, error) {
	return &oas.Health{Status: "ok", Service: "docqa", Timestamp: timestamp(p.Clock.Now())}, nil
}

// GetPublicConfig returns what a dashboard needs to start sign-in.
func (p *PlatformAPI) GetPublicConfig(context.Context) (*oas.PublicConfig, error) {
	config := p.Config
	if config.SocialProviders == nil {
		config.SocialProviders = []string{}
	}
	return &config, nil
}

// GetDevInfo says how to work with a development installation; elsewhere it does not exist.
func (p *PlatformAPI) GetDevInfo(context.Context) (*oas.DevInfo, error) {
	if p.Dev == nil {
		return nil, apperr.NotFound()
	}
	return p.Dev, nil
}
