package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// session is that of a person who has signed in, as the command has it in a file that only its user may read.
type session struct {
	URL   string `json:"url"` // of the admin page, without a slash at its end
	Who   string `json:"who"`
	Token string `json:"token"`
	// Stack and Region are those that were used then. While another stack is used, the session is none.
	Stack  string `json:"stack,omitempty"`
	Region string `json:"region,omitempty"`
}

// sessionFile is the file of the session, "" if there is no folder for it.
func (c *call) sessionFile() string {
	if c.config == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(c.config), "session.json")
}

// session returns the session of the stack that is used, nil if there is none.
func (c *call) session() (*session, error) {
	text, err := os.ReadFile(c.sessionFile())
	if c.config == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	s := &session{}
	if err == nil {
		err = json.Unmarshal(text, s)
	}
	if err == nil {
		err = checkAddress(s.URL)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", c.sessionFile(), err)
	}
	if s.Stack != c.file.Stack || s.Region != c.file.Region {
		return nil, nil
	}
	return s, nil
}

// store writes the session's file.
func (c *call) store(s session) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.sessionFile()), 0o700); err != nil {
		return err
	}
	// A file that is there already, with rights of its own, is no place for it.
	if err := os.Remove(c.sessionFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(c.sessionFile(), append(text, '\n'), 0o600)
}

// refreshAfter is for how long the API is not told again that the session is used: it stores no more.
const refreshAfter = time.Minute

// errSignedOut is the error of a request in a session that has ended.
var errSignedOut = errors.New("you are not signed in any more; sign in again: checkout login")

// bearer sends requests in a session, and tells the API that this is used.
type bearer struct {
	session
	next http.RoundTripper

	mu   sync.Mutex
	last time.Time
}

// RoundTrip implements http.RoundTripper.
func (b *bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.isDue() {
		if response, err := b.post(r.Context(), "/admin/login/refresh"); err == nil {
			response.Body.Close() // the request itself shows whether the session has ended
		}
	}
	response, err := b.send(r)
	if err == nil && response.StatusCode == http.StatusUnauthorized {
		response.Body.Close()
		return nil, errSignedOut
	}
	return response, err
}

func (b *bearer) isDue() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if time.Since(b.last) < refreshAfter {
		return false
	}
	b.last = time.Now()
	return true
}

func (b *bearer) send(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.Token)
	return b.next.RoundTrip(r)
}

// post sends an empty request about the session itself.
func (b *bearer) post(ctx context.Context, path string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, b.URL+path, bytes.NewReader([]byte("{}")))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	return b.send(r)
}

// end ends the session.
func (b *bearer) end(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	response, err := b.post(ctx, "/admin/logout")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, largest))
	if err == nil && response.StatusCode != http.StatusOK && response.StatusCode != http.StatusUnauthorized {
		err = refusalOf(response.StatusCode, response.Header, body)
	}
	return err
}
