package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"checkout/internal/card"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
)

// Call makes a request, and returns the status and the body of the response. One that repeats, counts or measures
// requests is as good as Service.Call.
type Call func(Request) (int, []byte, error)

// Visit is a session with its payer, and does what the page does for them.
type Visit struct {
	Session string // its id
	Call    Call
}

// Open has a merchant's server create a session, in which the payer has something to do. page is the address of the
// checkout page, "" for any, and request a signed request for a session.
func Open(call Call, page string, request any) (Visit, error) {
	code, body, err := call(Request{Method: http.MethodPost, Path: "/api/v1/session", Body: request})
	if err != nil {
		return Visit{}, err
	}
	id, err := SessionOf(body, page)
	if err == nil && (code != http.StatusOK || id == "") {
		err = errors.New("nothing to pay")
	}
	if err != nil {
		return Visit{}, fmt.Errorf("POST /api/v1/session: %d %.500s: %w", code, body, err)
	}
	return Visit{id, call}, nil
}

// Path is the path of what the payer does, "" for what the page shows.
func (v Visit) Path(does string) string {
	if does != "" {
		does = "/" + does
	}
	return "/page/v1/" + v.Session + does
}

// Screen requests what the page has to show.
func (v Visit) Screen() (screen.Screen, error) { return v.screen(http.MethodGet, "", nil) }

// Post sends what the payer does, such as cancel, and returns what the page shows then.
func (v Visit) Post(does string, body any) (screen.Screen, error) {
	return v.screen(http.MethodPost, does, body)
}

// screen requests a screen. Errors don't have the id of the session, which is a secret of the payer.
func (v Visit) screen(method, does string, body any) (screen.Screen, error) {
	code, text, err := v.Call(Request{Method: method, Path: v.Path(does), Body: body})
	if err != nil {
		return screen.Screen{}, err
	}
	shown, err := Screen(code, text)
	if err != nil {
		err = fmt.Errorf("%s %s: %w", method, Visit{Session: "{session}"}.Path(does), err)
	}
	return shown, err
}

// Fill fills in the form that the page shows, with the test card of an expiry date, "" for none.
func (v Visit) Fill(expiry string) (form.Request, error) {
	shown, err := v.Screen()
	if err != nil {
		return form.Request{}, err
	}
	hidden := card.Card{}
	if expiry != "" {
		if hidden, err = Card(expiry); err != nil {
			return form.Request{}, err
		}
	}
	return Fill(shown, hidden)
}

// Pay fills in the form and sends it.
func (v Visit) Pay(expiry string) (screen.Screen, error) {
	filled, err := v.Fill(expiry)
	if err != nil {
		return screen.Screen{}, err
	}
	return v.Post("pay", filled)
}

// Wait requests screens as long as they say to wait, each after the time that the one before names.
func (v Visit) Wait(shown screen.Screen, pause func(time.Duration) error) (screen.Screen, error) {
	var err error
	for err == nil && shown.Kind == screen.KindWait {
		if err = pause(time.Duration(shown.PollMS) * time.Millisecond); err == nil {
			shown, err = v.Screen()
		}
	}
	return shown, err
}

// Pause waits, unless ctx ends before that.
func Pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
