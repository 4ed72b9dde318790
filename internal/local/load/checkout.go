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
	visit, err := s.open(ctx, number, planned)
	if err != nil {
		return err
	}
	static := client.Request{Method: http.MethodGet, Path: "/?session=" + url.QueryEscape(visit.Session)}
	if _, _, err := s.timed(ctx, page, time.Now)(static); err != nil {
		return err
	}
	if err := s.pays(ctx, visit); err != nil {
		return err
	}
	_, text, err := s.timed(ctx, status, time.Now)(client.Request{Method: http.MethodPost,
		Path: "/api/v1/payment/status", Body: s.config.Merchant.Order(number)})
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
func (s *stage) open(ctx context.Context, number string, planned time.Time) (client.Visit, error) {
	body := s.config.Merchant.Session(number, client.Object{
		"methods": []string{"card"}, "customer": client.Object{"name": "Ada Lovelace", "email": "ada@example.org"},
		"billing_address": client.Object{"country": "US", "state": "CA", "city": "Los Angeles",
			"address": "1 Main Street", "zip": "90001", "phone": "12025550123"},
	})
	call := s.timed(ctx, session, func() time.Time { return planned })
	visit, err := client.Open(call, "", s.config.Merchant.Sign(body))
	return visit, counted(err, session)
}

// pays pays by the test card, and waits for the outcome as the page does.
func (s *stage) pays(ctx context.Context, visit client.Visit) error {
	visit.Call = s.timed(ctx, form, time.Now)
	shown, err := visit.Screen()
	if err != nil {
		return counted(err, form)
	}
	card, err := client.Card("01/38")
	if err != nil {
		return err
	}
	filled, err := client.Fill(shown, card)
	if err != nil {
		return errors.New("no form")
	}
	began := time.Now()
	visit.Call = s.timed(ctx, pay, time.Now)
	if shown, err = visit.Post("pay", filled); err != nil {
		return counted(err, pay)
	}
	visit.Call = s.timed(ctx, poll, time.Now)
	shown, err = visit.Wait(shown, func(d time.Duration) error {
		if time.Since(began) > s.config.Patience {
			return failure("no outcome")
		}
		return client.Pause(ctx, max(d, 100*time.Millisecond))
	})
	if err != nil {
		return counted(err, poll)
	}
	if shown.Kind != screen.KindGo {
		return errors.New("declined")
	}
	s.took(outcome, time.Since(began))
	return nil
}

// failure is a text by which failed requests are counted.
type failure string

func (f failure) Error() string { return string(f) }

// counted returns a failure: that of the request, or else that its response could not be read.
func counted(err error, name string) error {
	if _, known := errors.AsType[failure](err); err == nil || known {
		return err
	}
	return failure("unreadable " + name)
}

// timed makes requests, and counts how long after a time each was responded to. Refusals and timeouts count, too.
func (s *stage) timed(ctx context.Context, name string, since func() time.Time) client.Call {
	return func(r client.Request) (int, []byte, error) {
		began := since()
		code, text, err := s.service.Call(ctx, r)
		if ctx.Err() == nil {
			s.took(name, time.Since(began))
		}
		var timeout net.Error
		switch {
		case errors.As(err, &timeout) && timeout.Timeout():
			return 0, nil, failure("timeout " + name)
		case err != nil:
			return 0, nil, failure("no response " + name)
		case code != http.StatusOK:
			return 0, nil, failure(fmt.Sprint(code, " ", name))
		}
		return code, text, nil
	}
}
