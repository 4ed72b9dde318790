package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/store"
)

// ledgerTTL is how long after its last change an entry is stored.
const ledgerTTL = 400 * 24 * time.Hour

// maxReference limits the length of a reference that is looked up in the ledger, because anybody may name one. Ours
// are UUIDs, or little longer.
const maxReference = 64

// ledgerKey is the key of a reference's entry. Both "" and RequestCharge are the kind of a charge.
func ledgerKey(kind connector.RequestKind, reference string) store.Key {
	if kind == "" || kind == connector.RequestCharge {
		return store.Key{Partition: "sandbox/" + reference, Sort: string(connector.RequestCharge)}
	}
	return store.Key{Partition: "sandbox-" + string(kind) + "/" + reference, Sort: string(kind)}
}

func (s *Sandbox) get(ctx context.Context, keys ...store.Key) ([]store.Record, error) {
	records, err := s.Store.Get(ctx, s.Now(), keys...)
	if err != nil {
		return nil, fmt.Errorf("read sandbox ledger: %w", err)
	}
	return records, nil
}

func (s *Sandbox) save(ctx context.Context, records ...store.Record) error {
	if err := s.Store.Save(ctx, s.Now(), records...); err != nil {
		return fmt.Errorf("write sandbox ledger: %w", err)
	}
	return nil
}

// update is a change of the ledger.
func (s *Sandbox) update() store.Update {
	return store.Update{Doing: "write sandbox ledger", Store: s.Store, Now: s.Now}
}

// read returns the entry of a reference, with version 0 if there is none.
func (s *Sandbox) read(
	ctx context.Context, kind connector.RequestKind, reference string,
) (e entry, version int64, err error) {
	if len(reference) > maxReference {
		return e, 0, nil
	}
	records, err := s.get(ctx, ledgerKey(kind, reference))
	if err != nil {
		return e, 0, err
	}
	e, err = decode(records[0])
	return e, records[0].Version, err
}

func decode(r store.Record) (e entry, err error) {
	if r.Version == 0 {
		return e, nil
	}
	if err := json.Unmarshal(r.Doc, &e); err != nil {
		return e, err
	}
	currency, _ := money.Find(e.Currency)
	for _, amount := range []*money.Amount{&e.Amount, &e.Authorised, &e.Captured, &e.Refunded, &e.Received} {
		if *amount, err = amount.In(currency); err != nil {
			return e, fmt.Errorf("amount of the sandbox ledger: %w", err)
		}
	}
	return e, nil
}

// record is an entry as it is stored.
func (s *Sandbox) record(e entry, version int64) store.Record {
	e.Currency = e.Amount.Currency().Code
	doc, err := json.Marshal(e)
	if err != nil {
		panic("marshal an entry of the sandbox: " + err.Error())
	}
	return store.Record{Key: ledgerKey(e.Kind, e.Reference), Version: version, Doc: doc, ExpiresAt: s.Now().Add(ledgerTTL)}
}

// sum adds two amounts of one currency. An amount without a currency counts as zero.
func sum(a, b money.Amount) (money.Amount, error) {
	switch {
	case a == money.Amount{}:
		return b, nil
	case b == money.Amount{}:
		return a, nil
	}
	return a.Add(b)
}

var errUnknown = &fault.Error{
	Code: fault.CodeNotFound, Faults: []fault.Fault{{Number: fault.NumberPaymentNotFound, Text: "Payment not found"}},
}

// known reads the entry of a charge. It fails with CodeNotFound if there is none.
func (s *Sandbox) known(ctx context.Context, reference string) (entry, int64, error) {
	e, version, err := s.read(ctx, connector.RequestCharge, reference)
	if err == nil && version == 0 {
		err = errUnknown
	}
	return e, version, err
}

// change changes the entry of a charge, unless f reports that nothing changes, and returns it as it is then. Errors:
// errUnknown; ErrConflicts.
func (s *Sandbox) change(
	ctx context.Context, reference string, f func(e *entry, now time.Time) (changed bool),
) (e entry, err error) {
	err = s.update().Do(ctx, func(now time.Time) ([]store.Record, error) {
		known, version, err := s.known(ctx, reference)
		if e = known; err != nil || !f(&e, now) {
			return nil, err
		}
		return []store.Record{s.record(e, version)}, nil
	})
	return e, err
}
