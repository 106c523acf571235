package bench

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
)

// peerWithin is how long a peer may take to read the data.
const peerWithin = 20 * time.Minute

// peer is another product that answers questions line by line, as eval/peers describes it.
type peer struct {
	name  string
	stop  func()
	in    io.Writer
	lines *bufio.Scanner
}

// peer starts a product over a folder of data and waits until it is ready.
func (b *bench) peer(ctx context.Context, name string, env []string, program string, args ...string) (*peer, error) {
	b.say("%s reads the data", name)
	ctx, cancel := context.WithTimeout(ctx, peerWithin)
	command := exec.CommandContext(ctx, program, args...)
	command.Env, command.Stderr = append(os.Environ(), env...), b.opts.Log
	in, err := command.StdinPipe()
	if err != nil {
		cancel()
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		cancel()
		return nil, err
	}
	if err := command.Start(); err != nil {
		cancel()
		return nil, err
	}
	p := &peer{name: name, in: in, lines: bufio.NewScanner(out), stop: func() {
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
	return nil, fmt.Errorf("%s ended before it was ready", name)
}

type peerAnswer struct {
	MS  float64  `json:"ms"`
	IDs []string `json:"ids"`
}

// ask sends one line.
func (p *peer) ask(line string) (a peerAnswer, err error) {
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		return a, err
	}
	if !p.lines.Scan() {
		return a, errors.Join(fmt.Errorf("%s has ended", p.name), p.lines.Err())
	}
	return a, json.Unmarshal(p.lines.Bytes(), &a)
}
