package handlers

import (
	"context"

	"docqa/gen/mainapi"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
)

// PlatformAPI answers what needs no credential. Config and Dev are fixed at start.
type PlatformAPI struct {
	Clock  clock.Clock
	Config mainapi.PublicConfig
	Dev    *mainapi.DevInfo // nil in staging and production: 404
}

// GetHealth says that the process answers.
//
// Source: main API section 4.1.
func (p *PlatformAPI) GetHealth(context.Context) (*mainapi.Health, error) {
	return &mainapi.Health{Status: "ok", Service: "docqa", Timestamp: timestamp(p.Clock.Now())}, nil
}

// GetPublicConfig returns what a dashboard needs to start sign-in.
func (p *PlatformAPI) GetPublicConfig(context.Context) (*mainapi.PublicConfig, error) {
	config := p.Config
	if config.SocialProviders == nil {
		config.SocialProviders = []string{}
	}
	return &config, nil
}

// GetDevInfo says how to work with a development installation; elsewhere it does not exist.
func (p *PlatformAPI) GetDevInfo(context.Context) (*mainapi.DevInfo, error) {
	if p.Dev == nil {
		return nil, apperr.NotFound()
	}
	return p.Dev, nil
}
