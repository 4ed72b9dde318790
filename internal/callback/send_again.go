package callback

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/internal/audit"
	"checkout/internal/fault"
	"checkout/internal/store"
)

const (
	// sendAgainEvery is the time between two callbacks that are sent again, so that they take only a small part of the
	// callback function's capacity.
	sendAgainEvery = 20 * time.Millisecond
	// sendAgainBatch is how many callbacks are changed in one Save at most, but for those of one payment.
	sendAgainBatch = 50
	// sendAgainAtOnce and pagesAtOnce are how many callbacks SendSome has sent, and how many pages of the listing it
	// reads, until it returns: a request has to end within seconds.
	sendAgainAtOnce = 500
	pagesAtOnce     = 100
	// messagesWithin is how soon a callback is due whose message is sent with the save: the first hundred.
	messagesWithin = 100 * sendAgainEvery
)

// Position is how far SendSome has come. The zero value is the beginning.
type Position struct {
	Began time.Time      `json:"began,omitzero"` // what was sent again since then is not sent once more
	Part  int            `json:"part"`           // of the listing: kinds, and shards of each
	After store.DueEntry `json:"after,omitzero"`
	At    time.Time      `json:"at,omitzero"` // when the next callback is due
	End   bool           `json:"end,omitempty"`
}

// SendSome has some hundreds of the callbacks sent now that the query chooses, from a position on, and returns their
// number and the next position. Those of a payment are sent in their order. A callback whose merchant has no
// notification_url stays parked. SendSome only sets due times, with sendAgainEvery between them, and sends the messages
// of those within messagesWithin. Delivery and repeats are those of every callback.
func (s Outbox) SendSome(ctx context.Context, query Query, from Position) (sent int, next Position, err error) {
	next = from
	if next.Began.IsZero() {
		next.Began = s.Now()
	}
	if now := s.Now(); next.At.Before(now) {
		next.At = now
	}
	parts := Query{}.shards()
	for range pagesAtOnce {
		if next.Part >= len(parts) {
			next.End = true
			return sent, next, nil
		}
		page := parts[next.Part]
		page.After, page.Limit = next.After, listedPage
		entries, err := s.Store.Due(ctx, s.Now().Add(listedAhead), page)
		if err != nil {
			return sent, next, fmt.Errorf("list undelivered callbacks: %w", err)
		}
		n, err := s.sendPage(ctx, entries, query, next)
		sent += n
		if err != nil {
			return sent, next, err
		}
		next.At = next.At.Add(time.Duration(n) * sendAgainEvery)
		if len(entries) < page.Limit {
			next.Part, next.After = next.Part+1, store.DueEntry{}
		} else {
			next.After = entries[len(entries)-1]
		}
		if sent >= sendAgainAtOnce {
			break
		}
	}
	return sent, next, nil
}

// sendPage has those of a page of the listing sent that the query chooses, with all others of their payments that it
// chooses, and returns their number.
func (s Outbox) sendPage(
	ctx context.Context, entries []store.DueEntry, query Query, at Position,
) (sent int, err error) {
	found, err := s.chosen(ctx, entries, query)
	if err != nil {
		return 0, err
	}
	var batch [][]*Callback
	in, seen := 0, map[string]bool{}
	flush := func() error {
		n, err := s.saveBatch(ctx, batch)
		sent, in, batch = sent+n, 0, nil
		return err
	}
	for _, c := range found {
		if seen[c.PaymentID] || c.url == "" || !c.SentAgainAt.Before(at.Began) {
			continue
		}
		seen[c.PaymentID] = true
		due := at.At.Add(time.Duration(sent+in) * sendAgainEvery)
		again, err := s.againOf(ctx, c.PaymentID, query, due)
		if err != nil {
			return sent, err
		}
		if in+len(again) > sendAgainBatch {
			if err := flush(); err != nil {
				return sent, err
			}
		}
		batch, in = append(batch, again), in+len(again)
	}
	return sent, flush()
}

// againOf returns those of a payment's callbacks that are sent again because a query chooses them or later ones.
func (s Outbox) againOf(ctx context.Context, paymentID string, query Query, at time.Time) ([]*Callback, error) {
	all, err := s.callbacksOf(ctx, paymentID)
	if err != nil {
		return nil, err
	}
	chosen, err := s.choose(ctx, all, query)
	seqs := make([]int, len(chosen))
	for i, c := range chosen {
		seqs[i] = c.Seq
	}
	return restarted(all, s.Now(), at, seqs...), err
}

// restarted returns those of a payment's callbacks that are sent again if those with these numbers are, due at a time.
func restarted(all []*Callback, now, at time.Time, seqs ...int) (again []*Callback) {
	for _, c := range all {
		if c.isSentAgain(now, seqs) {
			c.restart(now, at)
			again = append(again, c)
		}
	}
	return again
}

// saveBatch stores callbacks of several payments. After a conflict it stores those of each payment by themselves: what
// meets a conflict then is being sent by somebody else.
func (s Outbox) saveBatch(ctx context.Context, batch [][]*Callback) (sent int, err error) {
	batch = slices.DeleteFunc(batch, func(again []*Callback) bool { return len(again) == 0 })
	if sent, err = s.saveAgain(ctx, batch); !store.IsConflict(err) {
		if err == nil {
			s.sendFirst(ctx, batch...)
		}
		return sent, err
	}
	for _, again := range batch {
		n, err := s.saveAgain(ctx, [][]*Callback{again})
		if sent += n; err == nil {
			s.sendFirst(ctx, again)
		}
		if err != nil && !store.IsConflict(err) {
			return sent, err
		}
	}
	return sent, nil
}

// sendFirst sends the message of each payment's first callback, which delivers those after it.
func (s Outbox) sendFirst(ctx context.Context, batch ...[]*Callback) {
	for _, again := range batch {
		if delay := again[0].NextAt.Sub(s.Now()); s.Queue != nil && delay < messagesWithin {
			again[0].Send(ctx, s.Log, s.Queue, delay)
		}
	}
}

// saveAgain stores callbacks of payments, in each write with the audit document of those in it, and with the last of
// them other records.
func (s Outbox) saveAgain(ctx context.Context, batch [][]*Callback, others ...store.Record) (sent int, err error) {
	change, all := audit.Change{What: "callbacks"}, []store.Record(nil)
	for _, again := range batch {
		for i, c := range again {
			due := c.NextAt
			if i > 0 {
				due = due.Add(callbackGrace) // whoever delivers the first one delivers those after it
			}
			all = append(all, c.Record(due))
		}
		change.Changes = append(change.Changes, sentNow(again))
	}
	if len(batch) == 1 {
		change.What = "payment/" + batch[0][0].PaymentID + "/callbacks"
	}
	for part := range slices.Chunk(all, sendAgainBatch) { // more than one for a single payment alone
		if change.Records = part; len(batch) == 1 {
			change.Changes = []string{sentNow(batch[0][sent : sent+len(part)])}
		}
		if sent+len(part) == len(all) {
			change.Records = append(slices.Clone(part), others...)
		}
		if err := s.Act.Save(ctx, s.Store, s.Now(), change); err != nil {
			return sent, fmt.Errorf("store callbacks: %w", err)
		}
		sent += len(part)
	}
	return sent, nil
}

// sentNow says which callbacks of a payment are sent again.
func sentNow(again []*Callback) string {
	numbers := make([]string, len(again))
	for i, c := range again {
		numbers[i] = strconv.Itoa(c.Seq)
	}
	return "payment " + again[0].PaymentID + ": sent now: callback " + strings.Join(numbers, ", ")
}

// SendAgain has one callback sent now, after those of its payment that wait before it, and stores other records with
// that. A delivered one is tried once, and marked as a redelivery. It fails with CodeNotFound, or with CodeNotAllowed
// if the callback is withheld, dropped or about to be tried, or its merchant has no notification_url.
func (s Outbox) SendAgain(ctx context.Context, paymentID string, seq int, others ...store.Record) error {
	all, err := s.callbacksOf(ctx, paymentID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(c *Callback) bool { return c.Seq == seq })
	if i < 0 {
		return errNotFound()
	}
	now := s.Now()
	url, err := s.addressOf(ctx, all[i], now)
	if err != nil {
		return err
	}
	if why := all[i].WhyNotSent(now, url); why != "" {
		return fault.Refuse(fault.CodeNotAllowed, why)
	}
	again := restarted(all, now, now, seq)
	_, err = s.saveAgain(ctx, [][]*Callback{again}, others...)
	repeated := func(r store.Record) bool { return store.ConflictOn(err, r.Key) }
	switch {
	case store.IsConflict(err) && !slices.ContainsFunc(others, repeated): // others send it at this moment
		return fault.Refuse(fault.CodeNotAllowed, aboutToBeTried)
	case err != nil:
		return err
	}
	message := again[0].message()
	message.Single = true
	if err := s.Queue.SendCallback(ctx, message, 0); err != nil {
		s.Log.WarnContext(ctx, "callback not sent, left to sweep", "payment", paymentID, "error", err)
	}
	return nil
}

// Stored reads one callback. Errors: CodeNotFound.
func (s Outbox) Stored(ctx context.Context, paymentID string, seq int) (*Callback, error) {
	key, err := store.CallbackKey(paymentID, seq)
	if err != nil {
		return nil, errNotFound()
	}
	found, err := decoded(s.Store.Get(ctx, s.Now(), key))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read callback: %w", err)
	case len(found) == 0:
		return nil, errNotFound()
	}
	return found[0], nil
}
