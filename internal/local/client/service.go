package client

import (
	"bytes"
	"context"
	"encoding/json"
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

// In returns Call with a context.
func (s Service) In(ctx context.Context) Call {
	return func(r Request) (int, []byte, error) { return s.Call(ctx, r) }
}

// Buy creates a session for an order, pays it by the test card of an expiry date, and returns the screen that the
// payer's way ends on: any that says no more to wait.
func (s Service) Buy(ctx context.Context, by Merchant, order, expiry string) (screen.Screen, error) {
	visit, err := Open(s.In(ctx), s.URL+"/", by.Sign(by.Session(order)))
	if err != nil {
		return screen.Screen{}, err
	}
	shown, err := visit.Pay(expiry)
	if err != nil {
		return shown, err
	}
	return visit.Wait(shown, func(d time.Duration) error { return Pause(ctx, d) })
}
