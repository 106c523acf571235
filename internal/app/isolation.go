package app

import (
	"context"
	"log/slog"

	"docqa/internal/platform/config"
	"docqa/internal/platform/sandbox"
)

// Isolate keeps other processes of this user from this one's memory and, where it reads
// files, looks whether the processes that do so can be kept from everything else. Outside
// of development a start without that is refused unless SANDBOX is weak.
func Isolate(ctx context.Context, cfg *config.Config, log *slog.Logger, readsFiles bool) error {
	if cfg.Environment != config.EnvironmentDev { // debuggers are welcome there
		if err := sandbox.Shield(); err != nil {
			return err
		}
	}
	if !readsFiles {
		return nil
	}
	program, err := self()
	if err != nil {
		return err
	}
	walls := sandbox.New(program, "").Walls(ctx)
	switch {
	case !walls.Strong() && cfg.Environment != config.EnvironmentDev && cfg.Sandbox != config.SandboxWeak:
		return &SettingsError{Problems: []string{
			"SANDBOX: the processes that read files cannot be isolated: the kernel allows this service neither Landlock nor user namespaces, " +
				"or no filter of system calls; allow them, or accept the risk with SANDBOX=weak",
		}}
	case !walls.Strong():
		log.WarnContext(ctx, "the processes that read files are not isolated from the files and the network of this machine")
	case walls.Landlock == 0:
		log.WarnContext(ctx, "the processes that read files see the files that this user can read: the kernel has no Landlock")
	}
	return nil
}
