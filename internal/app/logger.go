package app

import (
	"io"
	"log/slog"

	"docqa/internal/platform/config"
)

// version is set by the linker.
var version = "dev"

// Version returns the version of this build.
func Version() string { return version }

// NewLogger returns a logger with the level and format of the settings.
func NewLogger(w io.Writer, cfg *config.Config) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(cfg.LogLevel)) // validated before
	opts := &slog.HandlerOptions{Level: level}
	if cfg.LogFormat == "text" {
		return slog.New(slog.NewTextHandler(w, opts))
	}
	return slog.New(slog.NewJSONHandler(w, opts))
}
