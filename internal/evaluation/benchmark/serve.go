package benchmark

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"docqa/internal/devfile"
	"docqa/internal/evaluation/instance"
)

const (
	startWithin = 2 * time.Minute
	stopWithin  = 40 * time.Second
	pollEvery   = 2 * time.Millisecond
)

// served is a running `docqa serve`.
type served struct {
	command *exec.Cmd
	ended   chan error
	url     string
	took    time.Duration // from the start to the first healthy answer
}

// environment holds the settings of `docqa serve` beside the development's storage and sign-in.
func environment(dev *devfile.File, database, address string) []string {
	return append(instance.Environment(),
		"ENVIRONMENT=dev", "ADDR="+address, "OPS_ADDR=127.0.0.1:0", "BASE_URL=http://"+address, "DATABASE_URL="+database,
		"IDP_PROVIDER=embedded", "IDP_ISSUER="+dev.IDP.Issuer, "IDP_CLIENT_ID="+dev.IDP.ClientID, "IDP_REDIRECT_URI="+dev.IDP.RedirectURI,
		"S3_ENDPOINT="+dev.S3.Endpoint, "S3_BUCKET="+dev.S3.Bucket, "S3_ACCESS_KEY="+dev.S3.AccessKey, "S3_SECRET_KEY="+dev.S3.SecretKey,
		"KEY_PEPPER="+secret(), "SHARE_TOKEN_SECRET="+secret(), "RAG_SERVICE_KEYS="+secret(), "RATE_LIMIT_SCALE=1000")
}

func secret() string {
	b := make([]byte, 24)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// freeAddress is a loopback address on which nobody listens.
func freeAddress(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// serve starts `docqa serve` and waits until it is healthy.
func (b *bench) serve(ctx context.Context) (*served, error) {
	s := &served{url: "http://" + b.address, ended: make(chan error, 1)}
	s.command = exec.CommandContext(context.WithoutCancel(ctx), b.opts.Binary, "serve") //nolint:gosec // the operator names the binary
	s.command.Env = b.environment
	s.command.Stdout, s.command.Stderr = b.opts.Log, b.opts.Log
	s.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	began := b.opts.Clock.Now()
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	go func() { s.ended <- s.command.Wait() }()
	ctx, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	for !instance.Healthy(ctx, s.url) {
		select {
		case err := <-s.ended:
			s.ended <- err
			return nil, fmt.Errorf("docqa serve ended at its start: %w", err)
		case <-ctx.Done():
			return nil, errors.Join(errors.New("docqa serve is not healthy yet"), s.stop())
		case <-time.After(pollEvery):
		}
	}
	s.took = b.opts.Clock.Now().Sub(began)
	return s, nil
}

func (s *served) stop() error {
	_ = s.command.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-s.ended:
		s.ended <- err
		return nil
	case <-time.After(stopWithin):
		_ = syscall.Kill(-s.command.Process.Pid, syscall.SIGKILL)
		return fmt.Errorf("docqa serve did not stop within %s and was killed", stopWithin)
	}
}

// resident is the memory of the process that is in use, in bytes; only Linux tells.
func (s *served) resident() (int64, error) {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(s.command.Process.Pid) + "/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if kb, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(kb), "kB")), 10, 64)
			return n << 10, err
		}
	}
	return 0, errors.New("the process's status names no VmRSS")
}
