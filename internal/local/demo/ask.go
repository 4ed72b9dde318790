package demo

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// actions are what a merchant may request, by the status of a payment.
var actions = map[string][]string{
	"settled": {"refund", "void"},
	"pending": {"capture", "void"},
}

// ask is POST /demo/ask: a button of the order's page was pressed. The next page shows the response.
func (s *Shop) ask(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, mostBody)
	action, amount := r.FormValue("action"), strings.TrimSpace(r.FormValue("amount"))
	o, bought := s.bought(r.FormValue("order"))
	if !bought || !slices.Contains([]string{"refund", "capture", "void"}, action) {
		s.lost(w)
		return
	}
	to := "/demo/return/order?order=" + url.QueryEscape(o.Number)
	before := len(s.callbacksOf(o.Number))
	response, err := s.request(r.Context(), o, action, amount)
	if err != nil {
		response = refusedRows(err)
	} else {
		to += "&after=" + strconv.Itoa(before) // a callback will come
	}
	s.mu.Lock()
	o.Asked, o.Response = action, response
	s.orders.values[o.Number] = o
	s.mu.Unlock()
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// request requests an action on an order's payment; amount "" is all that can be refunded or captured.
func (s *Shop) request(ctx context.Context, o order, action, amount string) ([]pair, error) {
	payment, err := s.payment(ctx, o)
	if err != nil {
		return nil, err
	}
	id, _ := payment["payment_id"].(string)
	if action == "void" {
		amount = "" // always of all
	}
	request := map[string]string{"merchant_key": o.Key, "payment_id": id,
		"hash": s.config.hash(strings.ToUpper, id, amount)}
	if amount != "" {
		request["amount"] = amount
	}
	var response map[string]any
	err = s.post(ctx, "/api/v1/payment/"+action, request, &response)
	return pairs("", response), err
}

func refusedRows(err error) []pair {
	rows := []pair{{"refused", err.Error()}}
	var refused *refusal
	if errors.As(err, &refused) {
		for _, fault := range refused.Errors {
			rows = append(rows, pair{"error", fault.Message})
		}
	}
	return rows
}

// payment requests the status of an order.
func (s *Shop) payment(ctx context.Context, o order) (map[string]any, error) {
	var payment map[string]any
	err := s.post(ctx, "/api/v1/payment/status", map[string]string{
		"merchant_key": o.Key, "order_id": o.Number, "hash": s.config.hash(strings.ToUpper, o.Number),
	}, &payment)
	return payment, err
}

// cards returns the tokens of the cards that were saved with a key and not removed since, in their order.
func (s *Shop) cards(key string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var tokens, removed []string
	for _, in := range s.received {
		token := in.fields["card_token"]
		if token == "" || !in.HashOK || !in.SignatureOK || s.orders.values[in.fields["order_number"]].Key != key {
			continue
		}
		if in.fields["type"] == "card_removed" {
			removed = append(removed, token)
		} else if !slices.Contains(tokens, token) {
			tokens = append(tokens, token)
		}
	}
	return slices.DeleteFunc(tokens, func(token string) bool { return slices.Contains(removed, token) })
}
