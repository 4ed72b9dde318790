package operator

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/audit"
	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/operator/grant"
	"checkout/internal/store"
)

// SetLimit sets what a person with a role may return alone, in place of the role's limit for that currency. One without
// amounts takes the limit away.
// Errors: CodeInvalid with every fault of the limit; CodeDenied unless the caller is an administrator for all
// merchants, and for the limits of a role that the caller has; CodeNotFound where there is none to take away.
func (s *People) SetLimit(ctx context.Context, by grant.Person, act audit.Act, l grant.Limit) error {
	takes := l.One == "" && l.Day == ""
	if faults := l.Check(); len(faults) > 0 && !takes {
		return fault.Invalid(faults)
	}
	_, err := once(ctx, s.core, act, call[struct{}]{
		name: "limit", args: []any{l.Role, l.Currency, l.One, l.Day},
		do: func(idem *checkout.IdempotencyRecord) (struct{}, error) {
			update := store.Update{Doing: "store limits", Store: s.core.Store, Now: s.core.Now, Final: idem.IsConflict}
			return struct{}{}, update.Do(ctx, func(now time.Time) ([]store.Record, error) {
				all, err := s.readGrants(ctx)
				if err != nil {
					return nil, err
				}
				if err := mayLimit(grant.PersonOf(all.Grants, nil, by.Who, by.Via), l); err != nil {
					return nil, err
				}
				text := "may return alone, as " + l.Text()
				if takes {
					text = fmt.Sprintf("has no limit any more, as %s in %s", l.Role, l.Currency)
				}
				before := len(all.Limits)
				all.Limits = slices.DeleteFunc(all.Limits, func(old grant.Limit) bool { return grant.SameLimit(old, l) })
				if takes && len(all.Limits) == before {
					return nil, fault.Refuse(fault.CodeNotFound, "There is no such limit.")
				}
				if !takes {
					all.Limits = append(all.Limits, l)
				}
				acts := act.Records(now, "role/"+string(l.Role), text)
				return append(idem.With(nil, struct{}{}, all.record()), acts...), nil
			})
		},
	})
	return err
}

// mayLimit refuses a limit by whoever is no administrator for all merchants, or has the role.
func mayLimit(by grant.Person, l grant.Limit) error {
	switch {
	case !by.May(grant.Operators):
		return fault.Refuse(fault.CodeDenied, "An administrator for all merchants sets limits.")
	case slices.ContainsFunc(by.Grants, func(g grant.Grant) bool { return g.Role == l.Role }):
		return fault.Refuse(fault.CodeDenied, "You have that role: another administrator sets its limits.")
	}
	return nil
}

// returned is what a person has returned to payers on a day in UTC, by currency, in acts of their own.
type returned struct {
	Sums map[string]string `json:"sums"`

	key     store.Key
	version int64
	until   time.Time
}

// Complete implements store.Shortened.
func (r *returned) Complete(of store.Record) error {
	r.version = of.Version
	return nil
}

// returnedTTL is how long after its day's beginning a sum is stored.
const returnedTTL = 3 * 24 * time.Hour

func (r *returned) record() store.Record {
	of := store.Encode(r.key, r.version, r)
	of.ExpiresAt = r.until
	return of
}

// allowReturn returns what is stored with what returns money to a payer, or why that is not allowed.
type allowReturn func(r returning, now time.Time) ([]store.Record, error)

// returning is money that returns to a payer, by a request with a reference.
type returning struct {
	grant.Return
	reference string
}

// limited allows what the limits of a person do.
func (s *Actor) limited(ctx context.Context, by grant.Person) allowReturn {
	return func(r returning, now time.Time) ([]store.Record, error) { return s.countReturn(ctx, by, r, now) }
}

// overLimit is the error for an amount that a person may not return alone.
type overLimit struct {
	amount money.Amount
	why    string
}

func (e *overLimit) Error() string { return e.why }

// countReturn counts what a person returns now against the limits of their roles. It returns the document that is to be
// stored in the same write as what returns it, so that no two acts at once have the same sum before them; none where
// nobody has a limit. Errors: an overLimit.
func (s *Actor) countReturn(
	ctx context.Context, by grant.Person, r returning, now time.Time,
) ([]store.Record, error) {
	if len(by.Limits) == 0 {
		return nil, nil
	}
	if r.Amount.IsZero() {
		return nil, &overLimit{r.Amount, "The amount is not known."}
	}
	day, amount, currency := now.UTC().Truncate(24*time.Hour), r.Amount, r.Amount.Currency()
	sum := &returned{key: store.ReturnedKey(grant.StableName(by.Who), day), until: day.Add(returnedTTL)}
	if _, err := s.core.Load(ctx, now, sum.key, sum); err != nil {
		return nil, fmt.Errorf("read what was returned today: %w", err)
	}
	today := money.Zero(currency)
	if text := sum.Sums[currency.Code]; text != "" {
		var err error
		if today, err = money.Parse(text, currency); err != nil {
			return nil, fmt.Errorf("what was returned today is %s %s: %w", text, currency.Code, err)
		}
	}
	if why := by.MayReturn(r.Return, today); why != "" {
		return nil, &overLimit{amount, why}
	}
	total, err := today.Add(amount)
	if err != nil {
		return nil, &overLimit{amount, "You have returned too much today."}
	}
	if sum.Sums == nil {
		sum.Sums = map[string]string{}
	}
	sum.Sums[currency.Code] = total.String()
	return []store.Record{sum.record()}, nil
}
