package query

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/words"
	"checkout/internal/store"
)

// WaitingPage is the most payments that WaitingForPerson returns at once.
const WaitingPage = 100

// WaitingRequest is a request to a provider whose outcome a person has to decide, or of which the provider has reported
// two, or for which money has arrived that does not count: the amount and currency are then those that arrived.
type WaitingRequest struct {
	PaymentID   string `json:"payment_id"`
	fault.Owner        // as merchant and, of test payments, test
	Mode        string `json:"mode"` // live or test
	OrderNumber string `json:"order"`
	Reference   string `json:"reference"`

	Type         payment.EventType `json:"type"`
	Amount       string            `json:"amount,omitempty"` // "" if the payer entered it at the provider
	Currency     string            `json:"currency"`
	MID          string            `json:"mid"`
	Connector    string            `json:"connector"`
	SentAt       time.Time         `json:"sent_at,omitzero"`
	UnknownSince time.Time         `json:"unknown_since,omitzero"`
	LookUps      int               `json:"look_ups"`
	// Why it waits: what the provider has reported against an outcome, and what it said at last.
	Why string `json:"why,omitempty"`

	mapping string
}

// Waiting is WaitingForPerson with what a person may see alone. A page may have fewer requests than others, or none.
func (s *Reader) Waiting(
	ctx context.Context, by grant.Person, after string,
) (found []WaitingRequest, next string, err error) {
	found, next, err = s.WaitingForPerson(ctx, after, WaitingPage)
	found = slices.DeleteFunc(found, func(w WaitingRequest) bool { return by.Level(grant.Find, w.Owner) == grant.None })
	return found, next, err
}

// WaitingForPerson lists the requests that wait for a person, of at most limit payments: those that wait longest come
// first. It continues after a payment, named by the time and id that were returned as next; "" is the beginning, and as
// next the end. A payment that has another request in progress is listed when that has ended or waits, too.
func (s *Reader) WaitingForPerson(
	ctx context.Context, after string, limit int,
) (found []WaitingRequest, next string, err error) {
	now, limit := s.core.Now(), min(max(limit, 1), WaitingPage)
	start, err := parseWaiting(after)
	if err != nil {
		return nil, "", err
	}
	entries, err := s.waitingEntries(ctx, now, start, limit+1)
	if err != nil || len(entries) == 0 {
		return nil, "", err
	}
	if len(entries) > limit {
		entries = entries[:limit]
		next = waitingText(entries[limit-1])
	}
	keys := make([]store.Key, len(entries))
	for i, entry := range entries {
		keys[i] = entry.Key
	}
	records, err := s.waits().Get(ctx, now, keys...)
	if err != nil {
		return nil, "", fmt.Errorf("read payments that wait: %w", err)
	}
	for _, r := range records {
		p := &payment.Payment{}
		if err := r.Decode(p); err != nil {
			return nil, "", err
		}
		found = append(found, waitingRequests(p)...)
	}
	return found, next, nil
}

// waitingEntries returns the first n entries of the listing after another one, of all shards.
func (s *Reader) waitingEntries(
	ctx context.Context, now time.Time, after store.DueEntry, n int,
) ([]store.DueEntry, error) {
	var all []store.DueEntry
	shards := store.DuePerson.Shards()
	for i := range 2 * shards {
		query := store.DueQuery{Kind: store.DuePerson.Of(i >= shards), Shard: i % shards, Limit: n}
		if !after.At.IsZero() { // all of the same millisecond are read again
			query.After = store.DueEntry{At: after.At.Add(-time.Millisecond), Key: store.Key{Partition: "~", Sort: "~"}}
		}
		for kept := 0; kept < n; {
			entries, err := s.waits().Due(ctx, now, query)
			if err != nil {
				return nil, fmt.Errorf("list payments that wait: %w", err)
			}
			for _, entry := range entries {
				if store.CompareDue(entry, after) > 0 {
					all, kept = append(all, entry), kept+1
				}
			}
			if len(entries) < n {
				break
			}
			query.After = entries[len(entries)-1]
		}
	}
	slices.SortFunc(all, store.CompareDue)
	return all[:min(n, len(all))], nil
}

// waitingText is how a page names its last entry.
func waitingText(entry store.DueEntry) string {
	hash, tail := strings.TrimPrefix(entry.Key.Partition, "order/"), strings.Split(entry.Key.Sort, "/")[1]
	return entry.At.UTC().Format(time.RFC3339Nano) + "/" + store.PaymentID(hash, tail)
}

// parseWaiting reads what waitingText has written, "" as the zero entry.
func parseWaiting(text string) (store.DueEntry, error) {
	if text == "" {
		return store.DueEntry{}, nil
	}
	stamp, id, _ := strings.Cut(text, "/")
	at, errTime := time.Parse(time.RFC3339Nano, stamp)
	key, errID := store.PaymentKey(id)
	if errTime != nil || errID != nil {
		return store.DueEntry{}, fault.Refuse(fault.CodeInvalid, "No page ends there.")
	}
	return store.DueEntry{Key: key, At: at}, nil
}

// waitingRequests returns the payment's requests that wait for a person.
func waitingRequests(p *payment.Payment) (all []WaitingRequest) {
	for i := range p.Jobs {
		if p.Jobs[i].Person {
			all = append(all, waitingRequest(p, &p.Jobs[i]))
		}
	}
	return all
}

func waitingRequest(p *payment.Payment, job *payment.Job) WaitingRequest {
	mid, connector := p.Requests().Place(job)
	amount, currency := words.AmountOf(p, job)
	return WaitingRequest{
		PaymentID: p.ID, Owner: p.Owner, Mode: modeOf(p.Owner), OrderNumber: p.Order.Number, Reference: job.Reference,
		Type: words.OperationOf(p, job), Amount: amount, Currency: currency,
		MID: mid, Connector: connector, SentAt: job.SentAt, UnknownSince: job.UnknownSince, LookUps: job.LookUps,
		Why: words.WhyUndecided(p, job), mapping: p.Mapping,
	}
}
