package search

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"docqa/eval/bench/harness"
)

// peerTimeout is how long another product may run, with reading the data.
const peerTimeout = 20 * time.Minute

// peerCommand is how another product is started.
type peerCommand struct {
	name    string
	program string
	args    []string
	env     []string // added to this process's environment
}

// peer is another product that answers questions line by line. eval/peers/README.md describes the lines.
type peer struct {
	name  string
	stop  func()
	in    io.Writer
	lines *bufio.Scanner
}

// startPeer starts a product over a folder of data and waits until it is ready.
func startPeer(ctx context.Context, h *harness.Harness, c peerCommand) (*peer, error) {
	h.Progress("%s reads the data", c.name)
	ctx, cancel := context.WithTimeout(ctx, peerTimeout)
	command := exec.CommandContext(ctx, c.program, c.args...) //nolint:gosec // from the folder of the peers
	command.Env, command.Stderr = append(os.Environ(), c.env...), h.Log
	in, inErr := command.StdinPipe()
	out, outErr := command.StdoutPipe()
	if err := errors.Join(inErr, outErr); err != nil {
		cancel()
		return nil, err
	}
	if err := command.Start(); err != nil {
		cancel()
		return nil, err
	}
	p := &peer{name: c.name, in: in, lines: bufio.NewScanner(out), stop: func() {
		_ = in.Close()
		cancel()
		_ = command.Wait()
	}}
	for p.lines.Scan() {
		if p.lines.Text() == "ready" {
			return p, nil
		}
	}
	p.stop()
	return nil, fmt.Errorf("%s ended before it was ready", c.name)
}

func stopAll(peers []*peer) {
	for _, p := range peers {
		p.stop()
	}
}

// peerAnswer is what a peer found, and how long its library's call took.
type peerAnswer struct {
	MS  float64  `json:"ms"`
	IDs []string `json:"ids"`
}

func (a peerAnswer) took() time.Duration { return time.Duration(a.MS * float64(time.Millisecond)) }

// ask sends one line and returns the answer to it.
func (p *peer) ask(line string) (a peerAnswer, err error) {
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		return a, err
	}
	if !p.lines.Scan() {
		return a, errors.Join(fmt.Errorf("%s has ended", p.name), p.lines.Err())
	}
	return a, json.Unmarshal(p.lines.Bytes(), &a)
}
