package mailsink

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// store stores messages as files whose names sort by the time of arrival.
type store struct {
	dir   string
	mu    sync.Mutex // guards names
	names []string   // oldest first
}

const suffix = ".json"

func openStore(dir string) (*store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	unfinished, _ := filepath.Glob(filepath.Join(dir, "*"+suffix+".new"))
	for _, path := range unfinished {
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	found, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if err != nil {
		return nil, err
	}
	s := &store{dir: dir}
	for _, path := range found {
		s.names = append(s.names, strings.TrimSuffix(filepath.Base(path), suffix))
	}
	slices.Sort(s.names)
	return s, s.forget()
}

// add stores the message and deletes the oldest ones beyond the limit.
func (s *store) add(m message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := fmt.Sprintf("%020d-%s", m.ReceivedAt.UnixNano(), strings.ToLower(rand.Text()[:8]))
	// Write under another name first, so that no reader sees half of a message.
	if err := os.WriteFile(s.path(name)+".new", text, 0o600); err != nil {
		return err
	}
	if err := os.Rename(s.path(name)+".new", s.path(name)); err != nil {
		return err
	}
	at, _ := slices.BinarySearch(s.names, name)
	s.names = slices.Insert(s.names, at, name)
	return s.forget()
}

func (s *store) forget() error {
	for len(s.names) > maxKept {
		if err := os.Remove(s.path(s.names[0])); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		s.names = s.names[1:]
	}
	return nil
}

// newest returns the names of all messages, the newest first.
func (s *store) newest() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := slices.Clone(s.names)
	slices.Reverse(names)
	return names
}

// read returns a message. The error is fs.ErrNotExist if there is none of this name.
func (s *store) read(name string) (message, error) {
	s.mu.Lock()
	_, there := slices.BinarySearch(s.names, name)
	s.mu.Unlock()
	if !there {
		return message{}, fs.ErrNotExist
	}
	var m message
	text, err := os.ReadFile(s.path(name))
	if err != nil {
		return message{}, err
	}
	return m, json.Unmarshal(text, &m)
}

func (s *store) path(name string) string { return filepath.Join(s.dir, name+suffix) }
