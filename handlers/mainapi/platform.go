package mainapi

import (
	"context"

	oas "docqa/gen/mainapi"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
)

// PlatformAPI serves operations that need no credential. Config and Dev do not change
// after the start.
type PlatformAPI struct {
	Clock  clock.Clock
	Config oas.PublicConfig
	Dev    *oas.DevInfo // nil in staging and production: 404
}

// GetHealth answers that the process is running.
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

// GetDevInfo describes a development installation. In staging and production it answers 404.
func (p *PlatformAPI) GetDevInfo(context.Context) (*oas.DevInfo, error) {
	if p.Dev == nil {
		return nil, apperr.NotFound()
	}
	return p.Dev, nil
}
