package load

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"checkout/internal/local/client"
	"checkout/internal/page/screen"
)

// checkout is a whole checkout. Its error is one of a few texts, by which failures are counted.
func (s *stage) checkout(ctx context.Context, planned time.Time) error {
	number := "load-" + rand.Text()
	id, err := s.open(ctx, number, planned)
	if err != nil {
		return err
	}
	static := client.Request{Method: http.MethodGet, Path: "/?session=" + url.QueryEscape(id)}
	if _, err := s.call(ctx, page, static); err != nil {
		return err
	}
	shown, err := s.screen(ctx, form, client.Request{Method: http.MethodGet, Path: "/page/v1/" + id})
	if err != nil {
		return err
	}
	if err := s.pays(ctx, id, shown); err != nil {
		return err
	}
	text, err := s.call(ctx, status, client.Request{Method: http.MethodPost, Path: "/api/v1/payment/status",
		Body: s.config.Merchant.Order(number)})
	if err != nil {
		return err
	}
	var paid struct{ Status string }
	if json.Unmarshal(text, &paid) != nil || paid.Status != "settled" {
		return errors.New("not settled")
	}
	s.took(whole, time.Since(planned))
	return nil
}

// open opens a session. Its time counts from the planned arrival.
func (s *stage) open(ctx context.Context, number string, planned time.Time) (string, error) {
	body := s.config.Merchant.Session(number, client.Object{
		"methods": []string{"card"}, "customer": client.Object{"name": "Ada Lovelace", "email": "ada@example.org"},
		"billing_address": client.Object{"country": "US", "state": "CA", "city": "Los Angeles",
			"address": "1 Main Street", "zip": "90001", "phone": "12025550123"},
	})
	text, err := s.callAt(ctx, planned, session, client.Request{Method: http.MethodPost, Path: "/api/v1/session",
		Body: s.config.Merchant.Sign(body)})
	if err != nil {
		return "", err
	}
	var created struct {
		RedirectURL string `json:"redirect_url"`
	}
	if json.Unmarshal(text, &created) != nil {
		return "", errors.New("unreadable " + session)
	}
	at, err := url.Parse(created.RedirectURL)
	if err != nil || at.Query().Get("session") == "" {
		return "", errors.New("unreadable " + session)
	}
	return at.Query().Get("session"), nil
}

// pays pays by the test card, and waits for the outcome as the page does.
func (s *stage) pays(ctx context.Context, id string, shown screen.Screen) error {
	card, err := client.Card("01/38")
	if err != nil {
		return err
	}
	filled, err := client.Fill(shown, card)
	if err != nil {
		return errors.New("no form")
	}
	began := time.Now()
	shown, err = s.screen(ctx, pay, client.Request{Method: http.MethodPost, Path: "/page/v1/" + id + "/pay", Body: filled})
	for err == nil && shown.Kind == screen.KindWait {
		if time.Since(began) > s.config.Patience {
			return errors.New("no outcome")
		}
		if err = pause(ctx, max(time.Duration(shown.PollMS)*time.Millisecond, 100*time.Millisecond)); err == nil {
			shown, err = s.screen(ctx, poll, client.Request{Method: http.MethodGet, Path: "/page/v1/" + id})
		}
	}
	if err != nil {
		return err
	}
	if shown.Kind != screen.KindGo {
		return errors.New("declined")
	}
	s.took(outcome, time.Since(began))
	return nil
}

// screen makes a request that is responded to with a screen.
func (s *stage) screen(ctx context.Context, name string, r client.Request) (screen.Screen, error) {
	text, err := s.call(ctx, name, r)
	if err != nil {
		return screen.Screen{}, err
	}
	shown, err := client.Screen(http.StatusOK, text)
	if err != nil {
		return shown, errors.New("unreadable " + name)
	}
	return shown, nil
}

func (s *stage) call(ctx context.Context, name string, r client.Request) ([]byte, error) {
	return s.callAt(ctx, time.Now(), name, r)
}

// callAt makes a request, and counts how long after a time it was responded to. Refusals and timeouts count, too.
func (s *stage) callAt(ctx context.Context, planned time.Time, name string, r client.Request) ([]byte, error) {
	code, text, err := s.service.Call(ctx, r)
	if ctx.Err() == nil {
		s.took(name, time.Since(planned))
	}
	var timeout net.Error
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		return nil, errors.New("timeout " + name)
	case err != nil:
		return nil, errors.New("no response " + name)
	case code != http.StatusOK:
		return nil, fmt.Errorf("%d %s", code, name)
	}
	return text, nil
}
