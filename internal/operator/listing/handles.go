package listing

import (
	"encoding/json"
	"net/netip"
	"slices"
	"strings"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/request"
	"checkout/internal/store"
)

// Handle is the hash of a value that a payment is found by, whatever kind of value it is, so that one query finds it:
// an order number, an e-mail address, an id or reference of the provider's, a reference of ours, an RRN, a token, or
// the id of an API call that made the session, a job or a callback. It is "" for an empty value. Ids of payments,
// sessions and callbacks lead to the order by themselves; card, amount and approval code are searched in the rows of
// a day.
func Handle(value string) string {
	value = strings.ToLower(strings.TrimSpace(value))
	if value == "" {
		return ""
	}
	return store.FindHandle(value)
}

// NameHandle is the handle of a person's name, in whatever order its words are.
func NameHandle(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" \t\u00a0,", r) })
	slices.Sort(words)
	return Handle(strings.Join(words, " "))
}

// PhoneHandle is the handle of a phone number: of its digits, without zeros at the beginning and whatever is between
// them.
func PhoneHandle(number string) string { return Handle(strings.TrimLeft(Digits(number), "0")) }

// DisputeHandle is the handle of the payments, with the live or the test key, that were charged back or reversed on a
// day in UTC.
func DisputeHandle(test bool, day time.Time) string {
	return Handle("disputed " + fault.Owner{Test: test}.Text() + day.UTC().Format(time.DateOnly))
}

// Digits returns the digits of a text.
func Digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

// IPHandle is the handle of an IP address, "" for another text.
func IPHandle(address string) string {
	ip, err := netip.ParseAddr(strings.TrimSpace(address))
	if err != nil {
		return ""
	}
	return Handle(ip.Unmap().WithZone("").String())
}

// handle adds the handles of values, each once.
func (r *Row) handle(values ...string) {
	for _, value := range values {
		r.addHandle(Handle(value))
	}
}

func (r *Row) addHandle(handle string) {
	if handle != "" && !slices.Contains(r.Handles, handle) {
		r.Handles = append(r.Handles, handle)
	}
}

// handleRequest adds the handles of what a payment and its session have from the merchant's request.
func (r *Row) handleRequest(d request.Details, o request.Options) {
	r.handle(d.Order.Number)
	r.handle(d.Customer.Email, d.Payee.Email)
	r.addHandle(NameHandle(d.Customer.Name))
	r.addHandle(NameHandle(d.Payee.Name))
	for _, a := range []request.Address{d.BillingAddress, d.Payee.Address} {
		r.addHandle(PhoneHandle(a.Phone))
		if a.Phone != "" && a.PhoneCountryCode != "" {
			r.addHandle(PhoneHandle(a.PhoneCountryCode + strings.TrimLeft(Digits(a.Phone), "0")))
		}
	}
	r.addHandle(IPHandle(o.StatedIP))
	r.handle(o.RequestID, customerID(d.CustomData))
}

// customerID returns the member customer_id of the merchant's data, which has the merchant's number of the customer.
func customerID(data json.RawMessage) string {
	var members struct {
		ID json.RawMessage `json:"customer_id"`
	}
	if len(data) == 0 || json.Unmarshal(data, &members) != nil {
		return ""
	}
	var text string
	if json.Unmarshal(members.ID, &text) == nil {
		return text
	}
	var number json.Number
	_ = json.Unmarshal(members.ID, &number) // what is neither names nobody
	return number.String()
}

// handlePayment adds the handles of what became of a payment.
func (r *Row) handlePayment(p *payment.Payment) {
	r.handle(p.ProviderID, p.ExtraID)
	r.handle(p.RRN)
	r.handle(p.SavedCard, p.CardToken, p.RecurringToken)
	r.addHandle(IPHandle(p.PayerIP))
	for _, job := range p.Jobs {
		r.handle(job.Cause)
		r.handleReference(p, job.Reference)
	}
	for _, t := range p.Transactions {
		r.handleReference(p, t.Reference)
		if t.Type == payment.EventChargeback || t.Type == payment.EventReversal {
			r.addHandle(DisputeHandle(p.Test, t.Date))
		}
	}
}

// handleReference adds the handle of a reference of a request. That of most charges is the id of their payment.
func (r *Row) handleReference(p *payment.Payment, reference string) {
	if reference != p.ID {
		r.handle(reference)
	}
}
