package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"checkout/internal/page/screen"
)

// Service is a service that is called over HTTP.
type Service struct {
	URL    string
	HTTP   *http.Client
	Accept string // header of every request, "" for none
}

// Request is a request to the service.
type Request struct {
	Method, Path string
	Key          string // Idempotency-Key, "" for none
	Body         any    // a string or bytes as they are, nil for none, and JSON of anything else
}

// Call makes a request and returns the status and the body of the response.
func (s Service) Call(ctx context.Context, r Request) (int, []byte, error) {
	var body []byte
	switch b := r.Body.(type) {
	case nil:
	case string:
		body = []byte(b)
	case []byte:
		body = b
	default:
		var err error
		if body, err = json.Marshal(b); err != nil {
			return 0, nil, err
		}
	}
	out, err := http.NewRequestWithContext(ctx, r.Method, s.URL+r.Path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	out.Header.Set("Content-Type", "application/json")
	if s.Accept != "" {
		out.Header.Set("Accept", s.Accept)
	}
	if r.Key != "" {
		out.Header.Set("Idempotency-Key", r.Key)
	}
	in, err := s.HTTP.Do(out)
	if err != nil {
		return 0, nil, err
	}
	defer in.Body.Close()
	reply, err := io.ReadAll(in.Body)
	return in.StatusCode, reply, err
}

// Buy creates a session for an order, pays it by the test card of an expiry date, and returns the screen that the
// payer's way ends on: any that says no more to wait.
func (s Service) Buy(ctx context.Context, by Merchant, order, expiry string) (screen.Screen, error) {
	create := Request{Method: http.MethodPost, Path: "/api/v1/session", Body: by.Sign(by.Session(order))}
	status, created, err := s.Call(ctx, create)
	if err != nil {
		return screen.Screen{}, err
	}
	session, err := SessionOf(created, s.URL+"/")
	if err == nil && session == "" {
		err = errors.New("nothing to pay")
	}
	if err != nil {
		return screen.Screen{}, fmt.Errorf("session: %d %s: %w", status, created, err)
	}
	page := Request{Method: http.MethodGet, Path: "/page/v1/" + session}
	shown, err := s.screen(ctx, page)
	if err != nil {
		return shown, err
	}
	paysBy, err := Card(expiry)
	if err != nil {
		return shown, err
	}
	attempt, err := Fill(shown, paysBy)
	if err != nil {
		return shown, err
	}
	shown, err = s.screen(ctx, Request{Method: http.MethodPost, Path: page.Path + "/pay", Body: attempt})
	for err == nil && shown.Kind == screen.KindWait {
		select {
		case <-ctx.Done():
			return shown, ctx.Err()
		case <-time.After(time.Duration(shown.PollMS) * time.Millisecond):
		}
		shown, err = s.screen(ctx, page)
	}
	return shown, err
}

func (s Service) screen(ctx context.Context, r Request) (screen.Screen, error) {
	status, body, err := s.Call(ctx, r)
	if err != nil {
		return screen.Screen{}, err
	}
	return Screen(status, body)
}
