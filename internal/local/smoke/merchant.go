package smoke

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"checkout/internal/app"
	"checkout/internal/local/client"
)

// The merchant of all runs. Its live key leads nowhere.
const (
	merchantID = "smoke"
	liveKey    = "smoke-live"
	testKey    = "smoke-test"
)

// cached is how long functions use settings that they have read.
const cached = time.Minute

// putMerchant stores the merchant as `checkout merchants put` does, with a new password and callback secret. Functions
// may still know it as the run before has left it, so that a run shortly after another one waits.
func (r *run) putMerchant(ctx context.Context) (string, error) {
	var err error
	if r.merchants, err = app.OpenMerchants(ctx, r.Env); err != nil {
		return "", err
	}
	r.merchants.Act = r.Act
	if r.records, err = app.OpenTable(ctx, r.Env); err != nil {
		return "", err
	}
	if err := r.awaitCaches(ctx); err != nil {
		return "", err
	}
	r.began = time.Now()
	r.shop = client.Merchant{Key: testKey, Password: rand.Text(),
		CallbackSecret: "whsec_" + base64.StdEncoding.EncodeToString([]byte(rand.Text()+rand.Text()))}
	text, err := json.Marshal([]client.Object{{
		"id": merchantID, "name": "Smoke test", "disabled": false,
		"live_key": liveKey, "test_key": testKey, "password": r.shop.Password,
		"callback_secret": r.shop.CallbackSecret, "test_notification_url": r.CallbackURL,
		"mappings": []client.Object{{
			"name": "default", "extended_data": true, "compatibility": client.Object{"notification_url": "read"},
			"mids": []client.Object{{"name": "none", "connector": "adapter", "methods": []string{"card"},
				"credentials": client.Object{"url": "https://nowhere.invalid", "key": "none", "secret": rand.Text()}}},
		}},
	}})
	if err != nil {
		return "", err
	}
	if _, err := app.LoadMerchants(ctx, r.merchants, text, r.URL); err != nil {
		return "", err
	}
	return merchantID + " stored, with password, callback secret and credentials encrypted", nil
}

// awaitCaches waits until no function knows the merchant of the run before. It fails if somebody else's merchant has
// the same id.
func (r *run) awaitCaches(ctx context.Context) error {
	all, err := r.merchants.List(ctx)
	if err != nil {
		return err
	}
	for _, m := range all {
		if m.ID != merchantID {
			continue
		}
		if m.LiveKey != liveKey {
			return errors.New("there is a merchant " + merchantID + " that is none of this test")
		}
		versions, err := r.merchants.Versions(ctx, merchantID)
		if err != nil || len(versions) == 0 {
			return err
		}
		wait := time.Until(versions[0].Until.Add(cached + time.Second))
		if wait <= 0 {
			return nil
		}
		fmt.Fprintf(r.out, "%-9s  ...   waits %s, since functions may still know it from the run before\n", "merchant",
			wait.Round(time.Second))
		return client.Pause(ctx, wait)
	}
	return nil
}

// disable refuses the merchant's requests from now on.
func (r *run) disable(ctx context.Context) error {
	if r.shop.Key == "" {
		return nil // it was not stored
	}
	return r.merchants.SetDisabled(ctx, merchantID, true)
}

// awaitCallbacks waits until all callbacks of all payments are delivered, as the table has it.
func (r *run) awaitCallbacks(ctx context.Context) (string, error) {
	delivered := 0
	err := r.until(ctx, func() (bool, string, error) {
		delivered = 0
		for _, id := range r.payments {
			found, missing, err := r.callbacksOf(ctx, id)
			if err != nil || missing != "" {
				return false, missing, err
			}
			delivered += found
		}
		return true, "", nil
	})
	to := "the stack itself"
	if r.CallbackURL != "" {
		to = "the address that was given"
	}
	return fmt.Sprintf("%d delivered to %s", delivered, to), err
}

// callbacksOf counts the callbacks of a payment that are delivered, and describes one that is not.
func (r *run) callbacksOf(ctx context.Context, payment string) (delivered int, missing string, err error) {
	history, err := app.PaymentHistory(ctx, r.records, payment)
	if err != nil {
		return 0, "", err
	}
	waiting, tried := "", "not tried"
	for _, event := range history.Events {
		number, _, _ := strings.Cut(event.Text, " tells")
		switch {
		case event.Kind == "try":
			tried = event.Text
		case event.Kind == "callback" && strings.HasSuffix(event.Text, "It was delivered."):
			delivered++
		case event.Kind == "callback":
			waiting = number
		}
	}
	switch {
	case waiting != "":
		missing = fmt.Sprintf("%s of payment %s is not delivered, %s", waiting, payment, tried)
	case delivered == 0:
		missing = "payment " + payment + " has no callback"
	}
	return delivered, missing, nil
}
