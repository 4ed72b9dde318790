package smoke

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"checkout/internal/local/client"
	"checkout/internal/page/screen"
)

// payment is what is read of a payment object.
type payment struct {
	ID           string `json:"payment_id"`
	Status       string `json:"status"`
	Reason       string `json:"reason"`
	Token        string `json:"recurring_token"`
	Result       string `json:"result"` // of a refund
	Transactions []struct{ Type, Status, Amount string }
}

// The statuses of payments here.
const (
	authorised = "pending"
	settled    = "settled"
	voided     = "void"
)

// in makes requests, and notes that a response was an internal error.
func (r *run) in(ctx context.Context) client.Call {
	return func(request client.Request) (int, []byte, error) {
		status, text, err := r.service.Call(ctx, request)
		r.broken = r.broken || status >= http.StatusInternalServerError
		return status, text, err
	}
}

// post sends a request and reads the JSON of the response, which has to be good. It returns how long that took.
func (r *run) post(ctx context.Context, path string, body, into any) (time.Duration, error) {
	began := time.Now()
	status, text, err := r.in(ctx)(client.Request{Method: http.MethodPost, Path: path, Body: body})
	took := time.Since(began)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%d %.300s", status, text)
	}
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	return took, err
}

// createSession creates a session.
func (r *run) createSession(
	ctx context.Context, number string, fields client.Object,
) (client.Visit, time.Duration, error) {
	body := r.shop.Session(number, client.Object{
		"methods": []string{"card"}, "auth": true,
		"customer": client.Object{"name": "Ada Lovelace", "email": "ada@example.org"},
	}, fields)
	if r.CallbackURL == "" && r.cancelled != "" {
		body["notification_url"] = r.URL + r.cancelled
	}
	began := time.Now()
	visit, err := client.Open(r.in(ctx), r.URL+"/", r.shop.Sign(body))
	return visit, time.Since(began), err
}

// createSessions creates a session that is cancelled, and that of the first order.
func (r *run) createSessions(ctx context.Context) (string, error) {
	visit, first, err := r.createSession(ctx, newNumber(), nil)
	if err != nil {
		return "", err
	}
	r.cancelled = visit.Path("cancel")
	for range 2 { // the second time as callbacks do
		if _, err := visit.Post("cancel", client.Object{}); err != nil {
			return "", err
		}
	}
	var took time.Duration
	r.number = newNumber()
	r.first, took, err = r.createSession(ctx, r.number, client.Object{"req_token": true, "recurring_init": true})
	return fmt.Sprintf("POST /api/v1/session 200 in %s, the next one in %s", ms(first), ms(took)), err
}

// form waits for the form. A new stack has no key of the day for up to a minute.
func (r *run) form(ctx context.Context, visit client.Visit) (shown screen.Screen, err error) {
	var failed error
	err = r.until(ctx, func() (bool, string, error) {
		if shown, failed = visit.Screen(); failed != nil {
			return false, plain(failed), ctx.Err()
		}
		return shown.Kind == screen.KindForm && shown.Seal != nil, "no form: " + string(shown.Kind), nil
	})
	return shown, err
}

// pay pays a session by the test card, and returns how long it took until the payer was redirected to the shop.
func (r *run) pay(ctx context.Context, visit client.Visit) (time.Duration, error) {
	form, err := r.form(ctx, visit)
	if err != nil {
		return 0, err
	}
	card, err := client.Card("01/38")
	if err != nil {
		return 0, err
	}
	filled, err := client.Fill(form, card)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	shown, err := visit.Post("pay", filled)
	if err != nil {
		return 0, err
	}
	err = r.until(ctx, func() (bool, string, error) {
		switch shown.Kind {
		case screen.KindGo:
			return true, "", nil
		case screen.KindWait:
		default:
			return false, "", fmt.Errorf("the payment fails: the page shows %s", client.Words(shown))
		}
		waits := "without an outcome: the page shows " + client.Words(shown)
		shown, err = visit.Screen()
		return false, waits, err
	})
	return time.Since(began), err
}

// payFirst pays the first order.
func (r *run) payFirst(ctx context.Context) (string, error) {
	took, err := r.pay(ctx, r.first)
	if err != nil {
		return "", err
	}
	r.order, err = r.paid(ctx, r.number)
	return fmt.Sprintf("test card sealed, charged and saved, outcome after %s", ms(took)), err
}

// paid returns the payment of an order, which has to be authorised.
func (r *run) paid(ctx context.Context, number string) (payment, error) {
	var p payment
	if _, err := r.post(ctx, "/api/v1/payment/status", r.shop.Order(number), &p); err != nil {
		return p, fmt.Errorf("POST /api/v1/payment/status: %w", err)
	}
	r.payments = append(r.payments, p.ID)
	return p, p.unless(authorised)
}

// unless returns an error if the payment has another status.
func (p payment) unless(status string) error {
	if p.Status != status {
		return fmt.Errorf("payment %s is %q and not %q: %.200s", p.ID, p.Status, status, p.Reason)
	}
	return nil
}

// await requests the status of a payment until it is as it should be.
func (r *run) await(ctx context.Context, id string, good func(payment) bool) (p payment, err error) {
	err = r.until(ctx, func() (bool, string, error) {
		p = payment{}
		_, err := r.post(ctx, "/api/v1/payment/status", r.shop.Payment(id, ""), &p)
		return good(p), fmt.Sprintf("payment %s is %q", id, p.Status), err
	})
	return p, err
}

func (r *run) capture(ctx context.Context) (string, error) {
	took, err := r.post(ctx, "/api/v1/payment/capture", r.shop.Payment(r.order.ID, "10.00"), &payment{})
	if err != nil {
		return "", err
	}
	r.order, err = r.await(ctx, r.order.ID, func(p payment) bool { return p.Status == settled && p.Token != "" })
	return "POST /api/v1/payment/capture 200 in " + ms(took) + ", settled", err
}

func (r *run) refund(ctx context.Context) (string, error) {
	const part = "4.00"
	took, err := r.post(ctx, "/api/v1/payment/refund", r.shop.Payment(r.order.ID, part), &payment{})
	if err != nil {
		return "", err
	}
	_, err = r.await(ctx, r.order.ID, func(p payment) bool {
		for _, t := range p.Transactions {
			if t.Type == "refund" && t.Status == "success" && t.Amount == part {
				return true
			}
		}
		return false
	})
	return fmt.Sprintf("POST /api/v1/payment/refund 200 in %s, %s of 10.00 refunded", ms(took), part), err
}

// recur charges the saved card again, without the payer.
func (r *run) recur(ctx context.Context) (string, error) {
	request := r.shop.Recurring(r.order.ID, r.order.Token,
		client.Object{"number": newNumber(), "amount": "10.00", "description": "A pen"})
	var later payment
	took, err := r.post(ctx, "/api/v1/payment/recurring", request, &later)
	if err != nil {
		return "", err
	}
	r.payments = append(r.payments, later.ID)
	_, err = r.await(ctx, later.ID, func(p payment) bool { return p.Status == settled })
	return "POST /api/v1/payment/recurring 200 in " + ms(took) + ", the saved card charged again", err
}

// void pays a second order and voids it.
func (r *run) void(ctx context.Context) (string, error) {
	number := newNumber()
	visit, _, err := r.createSession(ctx, number, nil)
	if err != nil {
		return "", err
	}
	if _, err := r.pay(ctx, visit); err != nil {
		return "", err
	}
	p, err := r.paid(ctx, number)
	if err != nil {
		return "", err
	}
	took, err := r.post(ctx, "/api/v1/payment/void", r.shop.Payment(p.ID, ""), &payment{})
	if err == nil {
		_, err = r.await(ctx, p.ID, func(p payment) bool { return p.Status == voided })
	}
	return "POST /api/v1/payment/void 200 in " + ms(took) + ", a second payment voided", err
}

// askStatus requests the payments of the first order.
func (r *run) askStatus(ctx context.Context) (string, error) {
	request := r.shop.Order(r.number)
	request["size"] = 10
	var all []payment
	took, err := r.post(ctx, "/api/v1/payment/status", request, &all)
	if err == nil && !slices.ContainsFunc(all, func(p payment) bool { return p.ID == r.order.ID }) {
		err = fmt.Errorf("payment %s is not among the payments of its order", r.order.ID)
	}
	return "POST /api/v1/payment/status 200 in " + ms(took), err
}
