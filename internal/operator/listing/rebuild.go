package listing

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"

	"checkout/internal/store"
)

// Scan reads a whole table, expired documents included, and calls take with the documents of each partition.
type Scan func(ctx context.Context, take func(partition []store.Record) error) error

// Rebuilder compares the whole listing with all orders.
type Rebuilder struct {
	Indexer
	Orders  Scan // of the main table
	Listing Scan // of the listing table; it may be the same
}

// Rebuilt is what a rebuild has done.
type Rebuilt struct{ Orders, Stored, Deleted int }

// batch is how many orders are compared at once.
const batch = 100

// mostRight is how many documents are known to be right at once.
const mostRight = 100_000

// Check reports a line for each document of the listing that is missing, differs, or is too many. It looks again at
// what differs once all orders were read, because the listing may lag behind. It returns the number of orders.
func (b Rebuilder) Check(ctx context.Context, report func(line string)) (orders int, err error) {
	var mutex sync.Mutex
	var suspects []string
	orders, err = b.walk(ctx, func(order string) error {
		wrong, err := b.wrong(ctx, order)
		mutex.Lock()
		defer mutex.Unlock()
		if len(wrong) > 0 {
			suspects = append(suspects, order)
		}
		return err
	})
	if err != nil {
		return orders, err
	}
	for _, order := range suspects {
		wrong, err := b.wrong(ctx, order)
		if err != nil {
			return orders, err
		}
		for _, r := range wrong {
			word := "differs"
			if r.Version == 0 {
				word = "is missing"
			}
			report(r.Key.Partition + " " + r.Key.Sort + " " + word)
		}
	}
	return orders, b.surplus(ctx, func(key store.Key, order string) error {
		if order == "" {
			return nil
		}
		report(key.Partition + " " + key.Sort + " is too many")
		return nil
	})
}

// Rebuild stores what Check finds missing or different, and deletes what is too many. It ends the sums of days, which
// are then made anew. Payments can be indexed meanwhile.
func (b Rebuilder) Rebuild(ctx context.Context) (done Rebuilt, err error) {
	var mutex sync.Mutex
	repair := func(order string) error {
		return repeat(func() error {
			wrong, err := b.wrong(ctx, order)
			if err != nil {
				return err
			}
			for _, r := range wrong {
				if err := b.save(ctx, r); err != nil {
					return err
				}
			}
			mutex.Lock()
			defer mutex.Unlock()
			done.Stored += len(wrong)
			return nil
		})
	}
	if done.Orders, err = b.walk(ctx, repair); err != nil {
		return done, err
	}
	return done, b.surplus(ctx, func(key store.Key, order string) error {
		if order == "" {
			return b.endSums(ctx, key)
		}
		if err := b.save(ctx, store.Record{Key: key, Delete: true}); err != nil {
			return err
		}
		done.Deleted++
		return repair(order) // in case the document has become right before it was deleted
	})
}

// save puts or deletes a document of the listing.
func (b Rebuilder) save(ctx context.Context, r store.Record) error {
	if store.IsLine(r.Key) {
		return b.saveLine(ctx, r)
	}
	return b.listing.Save(ctx, b.now(), r)
}

// walk does something for each order, several at once.
func (b Rebuilder) walk(ctx context.Context, do func(order string) error) (n int, err error) {
	var orders []string
	flush := func() error {
		err := errors.Join(each(orders, do)...)
		n, orders = n+len(orders), nil
		return err
	}
	err = b.Orders(ctx, func(partition []store.Record) error {
		order := partition[0].Key.Partition
		if !strings.HasPrefix(order, store.OrderPartition("")) {
			return nil
		}
		if orders = append(orders, order); len(orders) < batch {
			return nil
		}
		return flush()
	})
	return n, errors.Join(err, flush())
}

// wrong returns what an order should have in the listing and has not, rows last. Each has the stored version.
func (b Rebuilder) wrong(ctx context.Context, order string) (wrong []store.Record, err error) {
	entries, stored, err := b.compare(ctx, order, (*entry).records)
	if err != nil {
		return nil, fmt.Errorf("compare %s: %w", order, err)
	}
	for _, e := range entries {
		for _, r := range e.records() {
			if r.Version = stored[r.Key].Version; !isRight(stored[r.Key], r) && !expired(r, b.now()) {
				wrong = append(wrong, r)
			}
		}
	}
	return wrong, nil
}

// surplus calls found with each document of the listing that no order leads to, and its order: "" for sums of a day.
// Lines and find entries of a payment or session that is no longer stored are none: they expire. So do entries of
// active owners and last uses.
func (b Rebuilder) surplus(ctx context.Context, found func(key store.Key, order string) error) error {
	right := map[store.Key]bool{} // documents of orders that were read, most of which are in other partitions
	return b.Listing(ctx, func(partition []store.Record) error {
		if first := partition[0].Key; !first.InListing() || store.IsActive(first) || store.IsUsed(first) {
			return nil
		}
		read := map[string]listed{} // by order
		for _, r := range partition {
			if store.IsSums(r.Key) {
				if err := found(r.Key, ""); err != nil {
					return err
				}
				continue
			}
			if right[r.Key] {
				continue
			}
			id, err := store.ListedPayment(r.Key)
			if err != nil {
				return fmt.Errorf("the listing has a key that is not one of ours: %w", err)
			}
			hash, _, err := store.SplitPaymentID(id)
			if err != nil {
				return err
			}
			order := store.OrderPartition(hash)
			if read[order].keys == nil {
				if read[order], err = b.listedOf(ctx, order); err != nil {
					return err
				}
				if len(right) > mostRight {
					clear(right)
				}
				maps.Copy(right, read[order].keys)
			}
			of := read[order]
			if of.keys[r.Key] || expired(r, b.now()) || !store.IsRow(r.Key) && !of.payments[id] {
				continue
			}
			if err := found(r.Key, order); err != nil {
				return err
			}
		}
		return nil
	})
}

// listed are the keys of what should be listed of an order, and the ids of its payments.
type listed struct {
	keys     map[store.Key]bool
	payments map[string]bool
}

func (b Rebuilder) listedOf(ctx context.Context, order string) (listed, error) {
	entries, err := b.read(ctx, order)
	of := listed{map[store.Key]bool{}, map[string]bool{}}
	for _, e := range entries {
		of.payments[e.PaymentID] = true
		for _, r := range e.records() {
			of.keys[r.Key] = true
		}
	}
	return of, err
}
