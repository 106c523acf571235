package dev

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"

	"docqa/internal/devenv/loopback"
)

// Ports holds the ports that were asked for. A port that is nil is the usual one, or a free
// one if another program listens there. A port that was asked for never moves; 0 asks for any
// free one.
type Ports struct {
	API, Ops, IDP, Mail, SMTP, S3, Postgres *int
}

// The usual ports.
const (
	portAPI  = 8080
	portOps  = 9090
	portIDP  = 8090
	portMail = 8025
	portSMTP = 2525
	portS3   = 9000
)

// port is the port of one component, with the words for messages about it.
type port struct {
	loopback.Port

	program, flag string
}

func newPort(program, flag string, asked *int, usual int) port {
	if asked != nil {
		return port{Port: loopback.Port{Number: *asked}, program: program, flag: flag}
	}
	return port{Port: loopback.Port{Number: usual, Movable: true}, program: program, flag: flag}
}

func (p Ports) api() port      { return newPort("the API", "--port", p.API, portAPI) }
func (p Ports) ops() port      { return newPort("the operators' address", "--ops-port", p.Ops, portOps) }
func (p Ports) idp() port      { return newPort("the identity provider", "--idp-port", p.IDP, portIDP) }
func (p Ports) mail() port     { return newPort("the mail page", "--mail-port", p.Mail, portMail) }
func (p Ports) smtp() port     { return newPort("the mail sink", "--smtp-port", p.SMTP, portSMTP) }
func (p Ports) s3() port       { return newPort("the object storage", "--s3-port", p.S3, portS3) }
func (p Ports) postgres() port { return newPort("Postgres", "--pg-port", p.Postgres, 0) }

// check fails if another program listens on a port that was asked for.
func (p Ports) check(ctx context.Context) error {
	for _, one := range []port{p.api(), p.ops(), p.idp(), p.mail(), p.smtp(), p.s3()} {
		if one.Movable {
			continue
		}
		if _, err := loopback.FreePort(ctx, one.Port); err != nil {
			return one.explain(err)
		}
	}
	return nil
}

// explain says what to do about a taken port.
func (p port) explain(err error) error {
	if errors.Is(err, loopback.ErrTaken) {
		return fmt.Errorf("%s %d: %s cannot listen there, because another program does; choose another port, or leave %s out to take a free one",
			p.flag, p.Number, p.program, p.flag)
	}
	return err
}

// listen opens a port.
func (d *development) listen(ctx context.Context, p port) (net.Listener, error) {
	listener, err := loopback.Listen(ctx, p.Port)
	if err != nil {
		return nil, p.explain(err)
	}
	d.reportMove(p, loopback.NumberOf(listener))
	return listener, nil
}

// reportMove says that a component listens on another port than the usual one.
func (d *development) reportMove(p port, number int) {
	if p.Movable && p.Number != 0 && p.Number != number {
		d.say("Port %d is taken: %s listens on %d.", p.Number, p.program, number)
	}
}

func baseURL(api net.Listener) string {
	return "http://localhost:" + strconv.Itoa(loopback.NumberOf(api))
}
