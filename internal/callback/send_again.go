package callback

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/internal/audit"
	"checkout/internal/request"
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

// listing is a shard of a kind of undelivered callbacks.
type listing struct {
	kind  store.DueKind
	shard int
}

// listings are where undelivered callbacks are listed. Parked ones come first: sent again they are waiting.
func listings() (all []listing) {
	for _, kind := range []store.DueKind{store.DueParked, store.DueCallback, store.DueCallback.Of(true)} {
		for shard := range kind.Shards() {
			all = append(all, listing{kind, shard})
		}
	}
	return all
}

// SendAll has all callbacks sent now that the query chooses, and returns their number.
func (s Outbox) SendAll(ctx context.Context, query Query) (sent int, err error) {
	for at := (Position{}); !at.End; {
		n, next, err := s.SendSome(ctx, query, at)
		sent += n
		if err != nil {
			return sent, err
		}
		at = next
	}
	return sent, nil
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
	parts := listings()
	for range pagesAtOnce {
		if next.Part >= len(parts) {
			next.End = true
			return sent, next, nil
		}
		part := parts[next.Part]
		page := store.DueQuery{Kind: part.kind, Shard: part.shard, After: next.After, Limit: listedPage}
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
	var batch []againOf
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
		again, err := s.again(ctx, c.PaymentID, query, due)
		if err != nil {
			return sent, err
		}
		if in+len(again.records) > sendAgainBatch {
			if err := flush(); err != nil {
				return sent, err
			}
		}
		batch, in = append(batch, again), in+len(again.records)
	}
	return sent, flush()
}

// againOf are callbacks of a payment that are sent again.
type againOf struct {
	paymentID string
	records   []store.Record
	first     *Callback // of them
}

// saveBatch stores callbacks of several payments. After a conflict it stores those of each payment by themselves: what
// meets a conflict then is being sent by somebody else.
func (s Outbox) saveBatch(ctx context.Context, batch []againOf) (sent int, err error) {
	batch = slices.DeleteFunc(batch, func(a againOf) bool { return len(a.records) == 0 })
	if len(batch) == 0 {
		return 0, nil
	}
	if len(batch) > 1 {
		if sent, err = s.saveAgain(ctx, batch); !store.IsConflict(err) {
			return sent, err
		}
		sent = 0
	}
	for _, one := range batch {
		n, err := s.saveAgain(ctx, []againOf{one})
		sent += n
		if err != nil && !store.IsConflict(err) {
			return sent, err
		}
	}
	return sent, nil
}

// saveAgain stores callbacks with the audit document of that, and with the last of them other records. Then it sends
// the message of each payment's first one, which delivers those after it.
func (s Outbox) saveAgain(ctx context.Context, batch []againOf, others ...store.Record) (sent int, err error) {
	change, all := audit.Change{What: "callbacks"}, []store.Record(nil)
	for _, one := range batch {
		all = append(all, one.records...)
		change.Changes = append(change.Changes, "payment "+one.paymentID+": sent now: callback "+numbersOf(one.records))
	}
	if len(batch) == 1 {
		change.What = "payment/" + batch[0].paymentID + "/callbacks"
	}
	for part := range slices.Chunk(all, sendAgainBatch) { // more than one for a single payment alone
		change.Records = part
		if sent+len(part) == len(all) {
			change.Records = append(slices.Clone(part), others...)
		}
		if err := s.Act.Save(ctx, audit.Log{Store: s.Store, Now: s.Now()}, change); err != nil {
			return sent, fmt.Errorf("store callbacks: %w", err)
		}
		sent += len(part)
	}
	for _, one := range batch {
		if delay := one.first.NextAt.Sub(s.Now()); s.Queue != nil && delay < messagesWithin {
			s.Send(ctx, one.first, delay)
		}
	}
	return sent, nil
}

func numbersOf(callbacks []store.Record) string {
	numbers := make([]string, len(callbacks))
	for i, r := range callbacks {
		_, seq, _ := store.CallbackOf(r.Key) // which this package has made
		numbers[i] = strconv.Itoa(seq)
	}
	return strings.Join(numbers, ", ")
}

// SendAgain has one callback sent now, after those of its payment that wait before it, and stores other records with
// that. It fails with CodeNotFound, or with CodeNotAllowed if the callback is delivered or about to be tried, or its
// merchant has no notification_url.
func (s Outbox) SendAgain(ctx context.Context, paymentID string, seq int, others ...store.Record) error {
	key, err := store.CallbackKey(paymentID, seq)
	if err != nil || seq < 1 {
		return request.Refuse(request.CodeNotFound, request.FaultInvalid, "Callback not found")
	}
	var c Callback
	record, err := store.GetOne(ctx, s.Store, s.Now(), key)
	if err == nil {
		err = record.Decode(&c)
	}
	switch {
	case err != nil:
		return fmt.Errorf("read callback: %w", err)
	case record.Version == 0:
		return request.Refuse(request.CodeNotFound, request.FaultInvalid, "Callback not found")
	}
	url, err := s.addressOf(ctx, &c, s.Now())
	if err != nil {
		return err
	}
	if why := c.WhyNotSent(s.Now(), url); why != "" {
		return request.Refuse(request.CodeNotAllowed, request.FaultInvalid, why)
	}
	again, err := s.again(ctx, paymentID, Query{seq: seq}, s.Now())
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(again.records, func(r store.Record) bool { return r.Key == key }) { // it was tried meanwhile
		return request.Refuse(request.CodeNotAllowed, request.FaultInvalid, aboutToBeTried)
	}
	_, err = s.saveAgain(ctx, []againOf{again}, others...)
	return err
}

// again returns those of a payment's callbacks that the query chooses and that can be sent now, due at a time, with the
// waiting ones before them.
func (s Outbox) again(ctx context.Context, paymentID string, query Query, at time.Time) (againOf, error) {
	records, err := s.callbacksOf(ctx, paymentID)
	if err != nil {
		return againOf{}, err
	}
	chosen, err := s.choose(ctx, records, query)
	if err != nil {
		return againOf{}, err
	}
	seqs := make([]int, len(chosen))
	for i, c := range chosen {
		seqs[i] = c.Seq
	}
	again := againOf{paymentID: paymentID}
	for _, r := range records {
		c := &Callback{}
		if err := r.Decode(c); err != nil {
			return again, err
		}
		if len(seqs) == 0 || !c.isSentAgain(s.Now(), seqs) {
			continue
		}
		c.restart(s.Now(), at)
		due := at
		if again.first == nil {
			again.first = c
		} else {
			due = at.Add(callbackGrace) // whoever delivers the first one delivers those after it
		}
		again.records = append(again.records, c.Record(due))
	}
	return again, nil
}

// callbacksOf returns the callbacks of a payment in their order.
func (s Outbox) callbacksOf(ctx context.Context, paymentID string) ([]store.Record, error) {
	query, err := store.CallbacksOf(paymentID)
	if err != nil {
		return nil, err
	}
	records, err := s.Store.List(ctx, s.Now(), query)
	if err != nil {
		return nil, fmt.Errorf("list callbacks: %w", err)
	}
	slices.Reverse(records)
	return records, nil
}
