package app

import (
	"context"
	"log/slog"

	"docqa/internal/platform/config"
	"docqa/internal/platform/sandbox"
)

// Isolate protects the memory of this process from other processes of its user. If the process
// reads files (readsFiles), it also checks whether the kernel can confine the children that do
// so. If not, it fails outside of development, unless SANDBOX is weak.
func Isolate(ctx context.Context, cfg *config.Config, log *slog.Logger, readsFiles bool) error {
	if cfg.Environment != config.EnvironmentDev { // debuggers may attach there
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
	isolation := sandbox.New(program, "").Isolation(ctx)
	switch {
	case !isolation.Strong() && cfg.Environment != config.EnvironmentDev && cfg.Sandbox != config.SandboxWeak:
		return &SettingsError{Problems: []string{
			"SANDBOX: the processes that read files cannot be isolated: the kernel allows this service neither Landlock nor user namespaces, " +
				"or no filter of system calls; allow them, or accept the risk with SANDBOX=weak",
		}}
	case !isolation.Strong():
		log.WarnContext(ctx, "the processes that read files are not isolated from the files and the network of this machine")
	case isolation.Landlock == 0:
		log.WarnContext(ctx, "the processes that read files see the files that this user can read: the kernel has no Landlock")
	}
	return nil
}
