package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const warmUp = 30

// step is one of the things that are measured in turns. It returns the time that counts, 0 = all of it.
type step struct {
	name string
	do   func(ctx context.Context, round int) (time.Duration, error)
}

// rounds does all steps once a round, so that what slows the machine slows all, and returns the milliseconds
// of each by its name, without those of the first rounds.
func (b *bench) rounds(ctx context.Context, n int, steps []step) (map[string][]float64, error) {
	took := make(map[string][]float64, len(steps))
	for i := range warmUp + n {
		for _, s := range steps {
			began := b.opts.Clock.Now()
			d, err := s.do(ctx, i)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
			if d == 0 {
				d = b.opts.Clock.Now().Sub(began)
			}
			if i >= warmUp {
				took[s.name] = append(took[s.name], milliseconds(d))
			}
		}
	}
	return took, nil
}

// less is a minus b, round by round, for what is an addition to something measured in the same round.
func less(a []float64, others ...[]float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i]
		for _, b := range others {
			out[i] -= b[i]
		}
	}
	return out
}

// caller posts JSON over connections that it keeps.
type caller struct {
	http    *http.Client
	url     string
	headers []string // names and values in turns
}

func newCaller(url string, headers ...string) *caller {
	return &caller{http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2000}}, url: url, headers: headers}
}

func (c *caller) send(ctx context.Context, body any) (*http.Response, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(c.headers); i += 2 {
		req.Header.Set(c.headers[i], c.headers[i+1])
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		said, _ := io.ReadAll(io.LimitReader(resp.Body, 500))
		return nil, fmt.Errorf("%s: status %d: %s", c.url, resp.StatusCode, said)
	}
	return resp, nil
}

// post returns the whole answer.
func (c *caller) post(ctx context.Context, body any) ([]byte, error) {
	resp, err := c.send(ctx, body)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// wants posts, and fails unless the answer holds a text.
func (c *caller) wants(ctx context.Context, body any, text string) error {
	answer, err := c.post(ctx, body)
	if err != nil {
		return err
	}
	if !bytes.Contains(answer, []byte(text)) {
		return fmt.Errorf("%s answered without %q: %.300s", c.url, text, answer)
	}
	return nil
}

var errBroken = errors.New("the stream broke off")

// first posts, reads the whole stream, and returns how long the first line that holds sign took.
func (b *bench) first(ctx context.Context, c *caller, body any, sign, last string) (time.Duration, error) {
	began := b.opts.Clock.Now()
	resp, err := c.send(ctx, body)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	var took time.Duration
	ended := false
	for line, err := range lines(resp.Body) {
		if err != nil {
			return 0, err
		}
		if took == 0 && strings.Contains(line, sign) {
			took = b.opts.Clock.Now().Sub(began)
		}
		ended = ended || strings.Contains(line, last)
	}
	if took == 0 || !ended {
		return 0, errBroken
	}
	return took, nil
}
