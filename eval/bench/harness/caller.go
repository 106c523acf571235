package harness

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

// ChatQuestion is the body of a request to the chat.
type ChatQuestion struct {
	Question string `json:"question"`
}

// Caller posts JSON to one URL and keeps its connections open.
type Caller struct {
	http    *http.Client
	url     string
	headers []string // names and values, alternating
}

// NewCaller makes a caller that sends the headers, given as names and values, with each request.
func NewCaller(url string, headers ...string) *Caller {
	return &Caller{http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2000}}, url: url, headers: headers}
}

// Chat makes a caller of the chat with the key of a project.
func (s *Server) Chat(key string) *Caller { return NewCaller(s.URL+"/v1/chat", "X-Service-Key", key) }

// ChatStream makes a caller of the streamed chat with the key of a project.
func (s *Server) ChatStream(key string) *Caller {
	return NewCaller(s.URL+"/v1/chat/stream", "X-Service-Key", key)
}

// Send returns the response once its headers are there. The caller closes its body. A status other than 200 is an error.
func (c *Caller) Send(ctx context.Context, body any) (*http.Response, error) {
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
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 500))
		return nil, fmt.Errorf("%s: status %d: %s", c.url, resp.StatusCode, text)
	}
	return resp, nil
}

// Post returns the whole body of the response.
func (c *Caller) Post(ctx context.Context, body any) ([]byte, error) {
	resp, err := c.Send(ctx, body)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// Expect posts and fails unless the response contains text.
func (c *Caller) Expect(ctx context.Context, body any, text string) error {
	answer, err := c.Post(ctx, body)
	if err != nil {
		return err
	}
	if !bytes.Contains(answer, []byte(text)) {
		return fmt.Errorf("%s answered without %q: %.300s", c.url, text, answer)
	}
	return nil
}

// Ask is a step that asks the chat one question a round.
func Ask(name string, c *Caller) Step {
	return Step{name, func(ctx context.Context, i int) (time.Duration, error) {
		return 0, c.Expect(ctx, ChatQuestion{Question: Question(i)}, `"answer"`)
	}}
}

// Marks are texts in the lines of a stream.
type Marks struct {
	First string // the line whose arrival is measured
	Last  string // a stream without it broke off
}

var errStreamBroken = errors.New("the stream ended early")

// FirstLine posts, reads the whole stream and returns how long it took until the first line with marks.First.
func (h *Harness) FirstLine(ctx context.Context, c *Caller, body any, marks Marks) (time.Duration, error) {
	began := h.Clock.Now()
	resp, err := c.Send(ctx, body)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	var took time.Duration
	complete := false
	for line, err := range Lines(resp.Body) {
		if err != nil {
			return 0, err
		}
		if took == 0 && strings.Contains(line, marks.First) {
			took = h.Clock.Now().Sub(began)
		}
		complete = complete || strings.Contains(line, marks.Last)
	}
	if took == 0 || !complete {
		return 0, errStreamBroken
	}
	return took, nil
}
