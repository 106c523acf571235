package streams

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/background"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/panics"
	"docqa/internal/store"
)

const (
	writeEvery  = 200 * time.Millisecond
	writeTime   = 5 * time.Second
	sayAlive    = 25 // after so many turns, a stream without new text is written again
	maxAttempts = 50 // how often the end of a stream is written before the keeper gives up

	// Abandoned is how long a row stays unwritten until its process counts as dead.
	Abandoned = 15 * time.Second
	// Kept is how long after its question an answer can be resumed.
	//
	// Source: docs/decisions.md#resumed-streams.
	Kept = 10 * time.Minute
	// MayAppear is how long after its question a stream may not have been written yet.
	MayAppear = 2 * time.Second
)

// Answer names a streamed answer.
type Answer struct {
	CompanyID, ProjectID, ConversationID, SessionID, VisitorID string
	MessageID                                                  string
}

// Keeper writes the streams of one process. Safe for concurrent use.
type Keeper struct {
	store *store.Store
	clock clock.Clock
	work  sync.WaitGroup

	mu      sync.Mutex
	open    map[*Stream]struct{} // the streams whose end is not yet written
	writing bool
}

// New returns a keeper that writes to s.
func New(s *store.Store, c clock.Clock) *Keeper {
	return &Keeper{store: s, clock: c, open: map[*Stream]struct{}{}}
}

// Stream is an answer that is being sent.
type Stream struct {
	keeper *Keeper
	answer Answer
	began  time.Time

	// Guarded by the keeper's lock.
	text    strings.Builder
	written int  // bytes of text in the database
	known   bool // the database has a row of it
	silent  int  // turns since the last write
	ended   bool
	failure *apperr.Error
	tries   int // attempts to write since the end
}

// Begin starts to store a stream. The caller must call End.
func (k *Keeper) Begin(a Answer) *Stream {
	s := &Stream{keeper: k, answer: a, began: k.clock.Now()}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.open[s] = struct{}{}
	if !k.writing {
		k.writing = true
		k.work.Go(k.write)
	}
	return s
}

// Add appends the next part of the answer.
func (s *Stream) Add(text string) {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "") // PostgreSQL refuses both in a text
	s.keeper.mu.Lock()
	defer s.keeper.mu.Unlock()
	s.text.WriteString(text)
}

// End records that the answer is stored, or with failure, why it never will be.
func (s *Stream) End(failure *apperr.Error) {
	s.keeper.mu.Lock()
	defer s.keeper.mu.Unlock()
	s.ended, s.failure = true, failure
}

// Wait returns when every stream that has ended is written, or when ctx ends.
func (k *Keeper) Wait(ctx context.Context) { background.Wait(ctx, &k.work) }

// write writes the open streams every writeEvery, until none is left.
func (k *Keeper) write() {
	turn := time.NewTicker(writeEvery)
	defer turn.Stop()
	for range turn.C {
		if batch := k.take(); len(batch) > 0 {
			var reached map[string]int
			err := panics.Catch(func() (err error) { reached, err = k.put(batch); return err })
			k.settle(batch, reached, err)
		}
		if k.rest() {
			return
		}
	}
}

// part is what one write sends of a stream, in the JSON that the query reads.
type part struct {
	CompanyID      string    `json:"company_id"`
	ProjectID      string    `json:"project_id"`
	MessageID      string    `json:"message_id"`
	ConversationID string    `json:"conversation_id"`
	SessionID      string    `json:"session_id"`
	VisitorID      string    `json:"visitor_id"`
	Body           string    `json:"body"`
	BodyBytes      int       `json:"body_bytes"`
	ErrorCode      string    `json:"error_code"`
	ErrorMessage   string    `json:"error_message"`
	BeganAt        time.Time `json:"began_at"`

	stream *Stream
}

// take returns the parts that must be written now.
func (k *Keeper) take() []part {
	k.mu.Lock()
	defer k.mu.Unlock()
	var batch []part
	for s := range k.open {
		if s.due() {
			batch = append(batch, s.part())
		}
	}
	return batch
}

// due tells whether the stream must be written. The caller holds the lock. A stored answer is
// read from its message, so its row must exist, but the row needs no more text.
func (s *Stream) due() bool {
	s.silent++
	if s.ended && s.failure == nil {
		return !s.known
	}
	return !s.known || s.ended || s.text.Len() > s.written || s.silent > sayAlive
}

func (s *Stream) part() part {
	a := s.answer
	p := part{
		CompanyID: a.CompanyID, ProjectID: a.ProjectID, MessageID: a.MessageID, ConversationID: a.ConversationID, SessionID: a.SessionID,
		VisitorID: a.VisitorID, BeganAt: s.began, BodyBytes: s.written, stream: s,
	}
	if s.ended && s.failure == nil {
		return p
	}
	p.Body, p.BodyBytes = s.text.String()[s.written:], s.text.Len()
	if s.failure != nil {
		p.ErrorCode, p.ErrorMessage = string(s.failure.Code), s.failure.Message
	}
	return p
}

// put writes the parts and returns how many bytes each row then holds, by message id.
func (k *Keeper) put(batch []part) (map[string]int, error) {
	parts, err := json.Marshal(batch)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	ctx = store.AsSystem(ctx, "the streams of several companies are written in one statement")
	rows, err := dbsqlc.New().AnswerStreamKeep(ctx, k.store.Pool(), parts)
	if err != nil {
		return nil, err
	}
	reached := make(map[string]int, len(rows))
	for i := range rows {
		reached[rows[i].MessageID] = int(rows[i].BodyBytes)
	}
	return reached, nil
}

// settle records how much was written. It takes the lengths from the rows, as the response to
// an earlier write may have been lost. Parts that were not written are written again in the
// next turn.
func (k *Keeper) settle(batch []part, reached map[string]int, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range batch {
		p := &batch[i]
		s := p.stream
		at, there := reached[s.answer.MessageID]
		switch {
		case err != nil:
			if s.ended {
				s.tries++
			}
		case there:
			s.known, s.written, s.silent = true, at, 0
			if p.ErrorCode != "" {
				delete(k.open, s)
			}
		case p.BodyBytes == len(p.Body): // the whole text was refused: the project is gone
			delete(k.open, s)
		default: // the row is gone: the next turn writes the whole text
			s.known, s.written = false, 0
		}
	}
}

// rest forgets the streams that need no more writing, and tells whether none is left.
func (k *Keeper) rest() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	for s := range k.open {
		if s.ended && (s.known && s.failure == nil || s.tries > maxAttempts) {
			delete(k.open, s)
		}
	}
	k.writing = len(k.open) > 0
	return !k.writing
}
