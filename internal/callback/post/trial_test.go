package post

import (
	"context"
	"mime"
	"net/http"
	"strings"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/settings"
	"checkout/internal/signature"
)

// tries sends test callbacks of a shop to an address.
func tries(t *testing.T, sender callback.Sender, address string) callback.Trials {
	t.Helper()
	m := &settings.Merchant{
		ID: "pens", Password: "password", CallbackSecret: "whsec_ZGVtby1jYWxsYmFjay1zZWNyZXQtMDEyMzQ1Njc4OQ==",
		TestNotificationURL: address, Mappings: []settings.Mapping{{Name: "default"}},
	}
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	tried, err := callback.SendTrials(t.Context(), sender, m, callback.TrialIDs{
		Now: func() time.Time { return now }, Random: func(n int) []byte { return make([]byte, n) },
	})
	if err != nil || len(tried.Tried) != 2 {
		t.Fatalf("%+v, %v", tried, err)
	}
	return tried
}

// A test callback says of each kind of shop what came back, and what that tells.
func TestTrialsOfCallbacks(t *testing.T) {
	reads := func(kind string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if is, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); is != kind {
				http.Error(w, "no hash", http.StatusBadRequest)
			}
		}
	}
	followed := false
	for name, test := range map[string]struct {
		shop       http.HandlerFunc
		json, form int
		hint       string
	}{
		"forms":     {reads("application/x-www-form-urlencoded"), 400, 200, "The shop seems to read form."},
		"JSON":      {reads("application/json"), 200, 400, "The shop seems to read JSON."},
		"anything":  {func(http.ResponseWriter, *http.Request) {}, 200, 200, "Both were taken, which does not tell"},
		"nothing":   {http.NotFound, 404, 404, "Neither was taken."},
		"redirects": {http.RedirectHandler("/followed", http.StatusFound).ServeHTTP, 302, 302, "The address redirects"},
	} {
		t.Run(name, func(t *testing.T) {
			address := serve(t, func(w http.ResponseWriter, r *http.Request) {
				followed = followed || r.URL.Path == "/followed"
				test.shop(w, r)
			})
			tried := tries(t, local(t), address)
			asJSON, asForm := tried.Tried[0], tried.Tried[1]
			if asJSON.Status != test.json || asForm.Status != test.form || asJSON.Format != "JSON" || asForm.Format != "form" ||
				asJSON.Delivered != (test.json == 200) || asForm.Delivered != (test.form == 200) {
				t.Errorf("%+v", tried.Tried)
			}
			if !strings.HasPrefix(tried.Hint, test.hint) || !strings.Contains(tried.Hint, "The service sends it JSON;") {
				t.Errorf("hint %q", tried.Hint)
			}
		})
	}
	if followed {
		t.Error("a redirect was followed")
	}
}

// An address that hangs, is gone, or is private gets no status.
func TestTrialsWithoutAResponse(t *testing.T) {
	hangs := local(t)
	hangs.Limit = 50 * time.Millisecond
	address := serve(t, hang)
	for _, test := range []struct {
		sender        callback.Sender
		address, hint string
	}{
		{hangs, address, "The address does not respond within 10 seconds"},
		{local(t), "http://127.0.0.1:1/", "The address is not reached from here."},
		{local(t), "http://10.0.0.1/", "Callbacks can't be sent there"},
		{closed(t, New(Options{})), "https://127.0.0.1/", "Callbacks can't be sent there"},
		{closed(t, New(Options{})), "http://shop.example/", "Callbacks can't be sent there"},
	} {
		tried := tries(t, test.sender, test.address)
		for _, one := range tried.Tried {
			if one.Status != 0 || one.Delivered || one.Error == "" {
				t.Errorf("%s: %+v", test.address, one)
			}
		}
		if !strings.HasPrefix(tried.Hint, test.hint) {
			t.Errorf("%s: %q", test.address, tried.Hint)
		}
	}
}

// sends keeps what is sent.
type sends []callback.Outgoing

func (s *sends) Send(_ context.Context, out callback.Outgoing) (int, error) {
	*s = append(*s, out)
	return http.StatusOK, nil
}

// Both are signed as real callbacks are, are no repeats of each other, and say that they are tests.
func TestTrialsAreSignedAndSaySo(t *testing.T) {
	var sent sends
	tried := tries(t, &sent, "https://shop.example/")
	for _, out := range sent {
		sig, err := signature.Webhook("whsec_ZGVtby1jYWxsYmFjay1zZWNyZXQtMDEyMzQ1Njc4OQ==", out.Header["webhook-id"],
			time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC), out.Body)
		if err != nil || sig != out.Header["webhook-signature"] {
			t.Errorf("%v: %s, %v", out.Header, sig, err)
		}
		for _, want := range []string{tried.Order, "decline", "Test", "hash"} {
			if !strings.Contains(string(out.Body), want) {
				t.Errorf("%s has no %s", out.Body, want)
			}
		}
	}
	if sent[0].Header["webhook-id"] == sent[1].Header["webhook-id"] {
		t.Error("the second is a repeat of the first")
	}
}
