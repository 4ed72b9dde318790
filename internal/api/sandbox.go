package api

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"

	"checkout/internal/api/sandboxpage"
	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/request"
)

// Sandbox is the part of the sandbox connector that has a page. On the page people act for a provider and its payer.
// Finish, Expire, Pay and Dispute return the URL to which the browser is redirected.
type Sandbox interface {
	Step(ctx context.Context, reference string) (kind, amount, currency string, err error)
	Finish(ctx context.Context, reference string, confirmed bool) (url string, err error)
	Expire(ctx context.Context, reference string) (url string, err error)
	Pay(ctx context.Context, reference, part, amount string) (url string, err error)
	Dispute(ctx context.Context, reference string, reversed bool) (url string, err error)
	Report(ctx context.Context, notice []byte) error // sends a notification again
	// Token returns a token of the test wallet. of is the session that the body names, nil for none.
	Token(ctx context.Context, of *request.Session, id string, body []byte) (token string, err error)
}

// sandboxPages handles the requests of the sandbox's pages.
type sandboxPages struct {
	core    *checkout.Core
	sandbox Sandbox // nil where they are not served
}

// step handles GET /sandbox/{reference}, which a live provider or a bank would have as a page of its own.
func (s sandboxPages) step(w http.ResponseWriter, r *http.Request) error {
	if s.sandbox == nil {
		return notFound(w, r)
	}
	kind, amount, currency, err := s.sandbox.Step(r.Context(), r.PathValue("reference"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", sandboxpage.Policy())
	w.Header().Set("Referrer-Policy", "no-referrer")
	_, err = io.WriteString(w, sandboxpage.HTML(kind, amount, currency))
	return err
}

// finish handles POST /sandbox/{reference}, which is sent when a button of that page is pressed.
func (s sandboxPages) finish(w http.ResponseWriter, r *http.Request) error {
	if s.sandbox == nil {
		return notFound(w, r)
	}
	r.Body = http.MaxBytesReader(w, r.Body, request.MaxBody)
	url, err := s.press(r.Context(), r.PathValue("reference"), r.FormValue("action"), r.FormValue("amount"))
	if err != nil {
		return err
	}
	http.Redirect(w, r, url, http.StatusSeeOther)
	return nil
}

func (s sandboxPages) press(ctx context.Context, reference, action, amount string) (url string, err error) {
	switch action {
	case "confirm", "refuse":
		return s.sandbox.Finish(ctx, reference, action == "confirm")
	case "pay", "pay_half", "pay_rest", "pay_double", "pay_late":
		return s.sandbox.Pay(ctx, reference, action, amount)
	case "expire":
		return s.sandbox.Expire(ctx, reference)
	case "chargeback", "reverse":
		return s.sandbox.Dispute(ctx, reference, action == "reverse")
	}
	return "", fault.At("action", "The value you selected is not a valid choice.")
}

// testToken is the response to a request for a token of the test wallet.
type testToken struct {
	Token string `json:"token"` // JSON text, as a wallet gives it
}

// wallet handles POST /sandbox/wallet: the checkout page asks for a token in the place of a wallet, as do tests
// of merchants who send tokens themselves.
func (s sandboxPages) wallet(w http.ResponseWriter, r *http.Request) error {
	if s.sandbox == nil {
		return notFound(w, r)
	}
	body, err := readBody(r)
	if err != nil {
		return err
	}
	of, err := s.testSession(r.Context(), body)
	if err != nil {
		return err
	}
	token, err := s.sandbox.Token(r.Context(), of, hex.EncodeToString(s.core.Random(16)), body)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, testToken{token})
	return nil
}

// testSession reads the session that a request for a token names, nil for none.
// Errors: CodeInvalid; CodeNotFound, also for one with the live key.
func (s sandboxPages) testSession(ctx context.Context, body []byte) (*request.Session, error) {
	var asked struct {
		Session string `json:"session"`
	}
	if len(body) > request.MaxBody || json.Unmarshal(body, &asked) != nil {
		return nil, fault.At("", invalidData)
	}
	if asked.Session == "" {
		return nil, nil
	}
	sess, err := s.core.Session(ctx, s.core.Now(), asked.Session)
	if err == nil && !sess.Request.Test {
		err = checkout.ErrSessionNotFound()
	}
	if err != nil {
		return nil, err
	}
	return &sess.Request, nil
}
