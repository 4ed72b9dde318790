// Package blocks changes block lists for operators, and shows them what is blocked.
package blocks

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/audit"
	"checkout/internal/checkout"
	"checkout/internal/checkout/blocklist"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/query"
	"checkout/internal/sensitive"
	"checkout/internal/store"
)

// Block is an entry of a block list, as a person may see it: without a fingerprint, and without what of another
// merchant has led to it.
type Block struct {
	ID        string         `json:"id"`
	Merchant  string         `json:"merchant"` // * for all
	Mode      string         `json:"mode"`
	Kind      blocklist.Kind `json:"kind"`
	Value     string         `json:"value"` // of a card its mask
	PaymentID string         `json:"payment_id,omitempty"`
	Reason    string         `json:"reason,omitempty"`
	By        string         `json:"by,omitempty"`
	At        time.Time      `json:"at"`
	Until     time.Time      `json:"until"`
}

func itemOf(o fault.Owner, e blocklist.Entry, level grant.Level) Block {
	item := Block{e.ID, o.Merchant, string(modeOf(o)), e.Kind, e.Value, e.PaymentID, e.Reason, e.By, e.At, e.Until}
	if level < grant.Full {
		item.Value = e.Masked()
	}
	if level == grant.None { // what is blocked for all may have been with another merchant
		item.PaymentID, item.Reason, item.By = "", "", ""
	}
	if e.Kind == blocklist.Card {
		item.Value = e.Card
	}
	return item
}

// ownersAtOnce is of how many owners lists are read in one request.
const ownersAtOnce = 100

func modeOf(o fault.Owner) grant.Mode {
	if o.Test {
		return grant.Test
	}
	return grant.Live
}

// BlockList is what is blocked.
type BlockList struct {
	Blocks []Block `json:"blocks"`
	More   bool    `json:"more,omitempty"` // there are older ones: name a merchant
}

// most is the most entries that are listed of several merchants.
const most = 1000

// Lists are the block lists of all merchants. New makes them.
type Lists struct{ core *checkout.Core }

// New returns the block lists that are stored.
func New(core *checkout.Core) Lists { return Lists{core} }

// Of returns what is blocked for all merchants, and for one, or with "" for each that a person may see, the latest
// first: live, test, or with the mode "" both. What has ended is left out.
func (s Lists) Of(ctx context.Context, reader *query.Reader, by grant.Person, f query.Filter) (BlockList, error) {
	merchants := []string{blocklist.All, f.Merchant}
	if f.Merchant == "" {
		known, err := reader.Merchants(ctx, by)
		if err != nil {
			return BlockList{}, err
		}
		merchants = merchants[:1]
		for _, m := range known {
			merchants = append(merchants, m.ID)
		}
	}
	now, all := s.core.Now(), []Block{}
	for owners := range slices.Chunk(ownersFor(by, merchants, f.Mode), ownersAtOnce) {
		var keys []store.Key
		for _, o := range owners {
			keys = append(keys, store.BlocksKey(o.Text()))
		}
		records, err := s.core.Store.Get(ctx, now, keys...)
		if err != nil {
			return BlockList{}, fmt.Errorf("read block lists: %w", err)
		}
		for i, r := range records {
			var list blocklist.List
			if err := r.Decode(&list); err != nil {
				return BlockList{}, err
			}
			for _, e := range list.Entries {
				if now.Before(e.Until) {
					all = append(all, itemOf(owners[i], e, by.Level(grant.Find, owners[i])))
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Block) int { return b.At.Compare(a.At) })
	if f.Merchant == "" && len(all) > most {
		return BlockList{all[:most], true}, nil
	}
	return BlockList{all, false}, nil
}

// ownersFor returns whose lists a person may see, of some merchants and one mode, or with "" of both. What is blocked
// for all is for everybody with a grant.
func ownersFor(by grant.Person, merchants []string, mode string) (owners []fault.Owner) {
	for _, merchant := range merchants {
		for _, test := range []bool{false, true} {
			o := fault.Owner{Merchant: merchant, Test: test}
			sees := by.Level(grant.Find, o)
			if merchant == blocklist.All {
				sees = by.Most(grant.Find, test)
			}
			if sees > grant.None && (mode == "" || mode == string(modeOf(o))) {
				owners = append(owners, o)
			}
		}
	}
	return owners
}

// Request is what is to be blocked: a value, or what a payment has of that kind.
type Request struct {
	Owner     fault.Owner
	Kind      blocklist.Kind
	Value     string
	PaymentID string
	Until     string // a day in UTC, which is a part of it, or a time
}

// longest is for how long something may be blocked.
const longest = 10 * 366 * 24 * time.Hour

// Add blocks something for an owner, in place of an entry for the same.
// Errors: CodeInvalid with its place; CodeNotFound for a payment that there is not, or of another merchant;
// CodeNotAllowed if the payment has nothing of that kind, or the list is full.
func (s Lists) Add(
	ctx context.Context, act audit.Act, b Request, idem *checkout.IdempotencyRecord,
) (item Block, err error) {
	entry, err := s.entry(ctx, act, b)
	if err != nil {
		return item, err
	}
	item = itemOf(b.Owner, entry, grant.Full)
	change := func(l blocklist.List, now time.Time) (blocklist.List, string, error) {
		entry.At, item.At = now, now
		after, ok := l.With(entry, now)
		if !ok {
			return l, "", fault.Refuse(fault.CodeNotAllowed, fmt.Sprintf(
				"%d entries are on the list, the most there can be: remove some, or block a network.", blocklist.Most))
		}
		until := entry.Until.UTC().Format("2006-01-02 15:04 UTC")
		return after, fmt.Sprintf("%s is blocked until %s", entry.Text(), until), nil
	}
	err = s.change(ctx, act, listChange{b.Owner, change, func() any { return item }, idem})
	return item, err
}

// Remove takes an entry off an owner's list. Errors: CodeNotFound.
func (s Lists) Remove(
	ctx context.Context, act audit.Act, entry EntryID, idem *checkout.IdempotencyRecord,
) (item Block, err error) {
	change := func(l blocklist.List, _ time.Time) (blocklist.List, string, error) {
		after, gone, ok := l.Without(entry.ID)
		if !ok {
			return l, "", fault.Refuse(fault.CodeNotFound, "There is no such entry: somebody may have removed it.")
		}
		item = itemOf(entry.Owner, gone, grant.Full)
		return after, gone.Text() + " is not blocked any more", nil
	}
	err = s.change(ctx, act, listChange{entry.Owner, change, func() any { return item }, idem})
	return item, err
}

// EntryID names an entry of an owner's list.
type EntryID struct {
	Owner fault.Owner
	ID    string
}

// listChange is a change of an owner's list, and what says in words what it changes.
type listChange struct {
	owner    fault.Owner
	do       func(l blocklist.List, now time.Time) (after blocklist.List, text string, err error)
	response func() any
	idem     *checkout.IdempotencyRecord
}

func (s Lists) change(ctx context.Context, act audit.Act, c listChange) error {
	update := store.Update{Doing: "store a block list", Store: s.core.Store, Now: s.core.Now, Final: c.idem.IsConflict}
	return update.Do(ctx, func(now time.Time) ([]store.Record, error) {
		var list blocklist.List
		if _, err := s.core.Load(ctx, now, store.BlocksKey(c.owner.Text()), &list); err != nil {
			return nil, fmt.Errorf("read a block list: %w", err)
		}
		after, text, err := c.do(list, now)
		if err != nil {
			return nil, err
		}
		acts := act.Records(now, "blocks/"+c.owner.Text(), text)
		return append(c.idem.With(nil, c.response(), after.Record(c.owner)), acts...), nil
	})
}

// readUntil returns the end of a block, the zero time for a text that is none.
func readUntil(text string) time.Time {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.AddDate(0, 0, 1)
	}
	at, _ := time.Parse(time.RFC3339, text)
	return at.UTC()
}

// entry checks what is to be blocked, and returns the entry without its time.
func (s Lists) entry(ctx context.Context, act audit.Act, b Request) (e blocklist.Entry, err error) {
	now, until := s.core.Now(), readUntil(b.Until)
	switch {
	case !slices.Contains(blocklist.Kinds, b.Kind):
		return e, fault.At("kind", "It should be one of: card, email, ip.")
	case (b.Value == "") == (b.PaymentID == ""):
		return e, fault.At("value", "Name either a value or a payment that has it.")
	case !until.After(now), until.After(now.Add(longest)):
		return e, fault.At("until", "It should be a day or a time from now on, within ten years.")
	}
	e = blocklist.Entry{
		ID: store.NewUUID(s.core.Random(16)), Kind: b.Kind, PaymentID: b.PaymentID, Reason: act.Reason, By: act.By,
		Until: until,
	}
	if b.PaymentID != "" {
		err = s.fromPayment(ctx, b, &e)
		return e, err
	}
	wrong := ""
	switch b.Kind {
	case blocklist.Card:
		return e, fault.At("kind", "Name a payment that was made with the card: its number is stored nowhere.")
	case blocklist.Email:
		e.Value = blocklist.NormalEmail(b.Value)
		if name, domain, ok := strings.Cut(e.Value, "@"); !ok || name == "" || domain == "" ||
			fault.Printable(e.Value, 254) != e.Value || strings.Contains(e.Value, " ") || sensitive.HasCard(e.Value) {
			wrong = "It should be an e-mail address."
		}
	case blocklist.IP:
		e.Value, wrong = blocklist.NormalIP(b.Value)
	}
	if wrong != "" {
		return e, fault.At("value", wrong)
	}
	return e, nil
}

// fromPayment takes the value of an entry from a payment.
func (s Lists) fromPayment(ctx context.Context, b Request, e *blocklist.Entry) error {
	p, err := s.core.Payment(ctx, s.core.Now(), b.PaymentID)
	if err != nil {
		return err
	}
	if p == nil || p.Test != b.Owner.Test || b.Owner.Merchant != blocklist.All && p.Merchant != b.Owner.Merchant {
		return payment.ErrNotFound()
	}
	var missing string
	switch b.Kind {
	case blocklist.Card:
		if e.Value, missing = p.Fingerprint, "no card that can be known again"; p.Card != nil {
			e.Card = p.Card.Mask
		}
	case blocklist.Email:
		e.Value, missing = blocklist.NormalEmail(p.Customer.Email), "no e-mail address"
	case blocklist.IP:
		e.Value, _ = blocklist.NormalIP(p.PayerIP)
		missing = "no address of its payer"
	}
	if e.Value == "" {
		return fault.Refuse(fault.CodeNotAllowed, "The payment has "+missing+".")
	}
	return nil
}
