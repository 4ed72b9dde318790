package operator

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/audit"
	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/store"
)

// People are those who look after the service, with their roles. NewPeople makes them.
type People struct {
	core     *checkout.Core
	readings *readings
}

// NewPeople returns the people whose roles are stored.
func NewPeople(core *checkout.Core) *People { return &People{core, &readings{}} }

// grants are the grants of all people and the limits of their roles: one document, changed on its version. So of two
// administrators who take each other's role at once, one can't.
type grants struct {
	Grants []grant.Grant `json:"grants"`
	Limits []grant.Limit `json:"limits,omitempty"`

	version int64
}

// Complete implements store.Shortened.
func (g *grants) Complete(r store.Record) error {
	g.version = r.Version
	return nil
}

func (g *grants) record() store.Record { return store.Encode(store.GrantsKey(), g.version, g) }

func (s *People) readGrants(ctx context.Context) (*grants, error) {
	g := &grants{}
	if _, err := s.core.Load(ctx, s.core.Now(), store.GrantsKey(), g); err != nil {
		return nil, fmt.Errorf("read grants: %w", err)
	}
	return g, nil
}

// Grants returns all grants, and the limits of roles.
func (s *People) Grants(ctx context.Context) ([]grant.Grant, []grant.Limit, error) {
	g, err := s.readGrants(ctx)
	if err != nil {
		return nil, nil, err
	}
	return g.Grants, g.Limits, nil
}

// PersonOf returns a caller with the grants that are theirs, none if they have none. They are as they are stored now,
// so that access ends at once.
func (s *People) PersonOf(ctx context.Context, who, via string) (grant.Person, error) {
	all, limits, err := s.Grants(ctx)
	return grant.PersonOf(all, limits, who, via), err
}

// Grant gives a role beside what the person has. The rights of whoever gives it are those that are stored then; only
// while nobody has any, those that by names, so that there can be a first administrator. While roles have limits,
// nobody gives themselves a role that returns money.
// Errors: CodeInvalid with every fault of the grant, and for merchants that there are not; CodeDenied if the person may
// not give it; CodeNotAllowed if no administrator for all merchants would be left.
func (s *People) Grant(ctx context.Context, by grant.Person, act audit.Act, g grant.Grant) error {
	if faults := g.Check(); len(faults) > 0 {
		return fault.Invalid(faults)
	}
	return s.changeGrants(ctx, grantChange{name: "grant", by: by, act: act, of: g})
}

// checkMerchants refuses a grant for merchants that there are not, with a fault for each.
func (s *People) checkMerchants(ctx context.Context, g grant.Grant) error {
	if slices.Contains(g.Merchants, grant.AllMerchants) {
		return nil
	}
	var keys []store.Key
	for _, id := range g.Merchants {
		keys = append(keys, store.SettingsKey(id))
	}
	records, err := s.core.Store.Get(ctx, s.core.Now(), keys...)
	if err != nil {
		return fmt.Errorf("read the merchants of a grant: %w", err)
	}
	var faults []fault.Fault
	for i, r := range records {
		if r.Version == 0 {
			faults = append(faults, fault.Of(fmt.Sprintf("merchants/%d", i), "There is no merchant "+g.Merchants[i]+"."))
		}
	}
	if len(faults) > 0 {
		return fault.Invalid(faults)
	}
	return nil
}

// Revoke takes a role from a person. Of the grant, who and role count: all of these are taken. Merchants and a mode
// choose one of them.
// Errors: CodeNotFound if the person does not have it; CodeDenied if the caller could not give it; CodeNotAllowed for
// the last administrator for all merchants.
func (s *People) Revoke(ctx context.Context, by grant.Person, act audit.Act, g grant.Grant) error {
	return s.changeGrants(ctx, grantChange{name: "revoke", by: by, act: act, of: g, takes: true})
}

// grantChange is a change of the grants.
type grantChange struct {
	name  string
	by    grant.Person
	act   audit.Act
	of    grant.Grant
	takes bool // it takes the role from the person
}

// changeGrants stores a change of the grants, by the rights that the caller has then.
func (s *People) changeGrants(ctx context.Context, c grantChange) error {
	_, err := once(ctx, s.core, c.act, call[struct{}]{
		name: c.name, args: []any{c.of.Who, c.of.Role, c.of.Merchants, c.of.Mode},
		do: func(idem *checkout.IdempotencyRecord) (struct{}, error) {
			update := store.Update{Doing: "store grants", Store: s.core.Store, Now: s.core.Now, Final: idem.IsConflict}
			return struct{}{}, update.Do(ctx, func(now time.Time) ([]store.Record, error) {
				return s.changedGrants(ctx, now, c, idem)
			})
		},
	})
	return err
}

// changedGrants returns what a change of the grants stores.
func (s *People) changedGrants(
	ctx context.Context, now time.Time, c grantChange, idem *checkout.IdempotencyRecord,
) ([]store.Record, error) {
	all, err := s.readGrants(ctx)
	if err != nil {
		return nil, err
	}
	by := c.by
	if len(all.Grants) > 0 {
		by = grant.PersonOf(all.Grants, all.Limits, by.Who, by.Via)
	}
	var gone, after []grant.Grant
	var changes []string
	if c.takes {
		after, gone = grant.Without(all.Grants, c.of)
		for _, g := range gone {
			changes = append(changes, "loses the role "+g.Text())
		}
	} else {
		c.of.By, c.of.At = c.by.Who, now.UTC()
		after, changes = grant.With(all.Grants, c.of), []string{"is given the role " + c.of.Text()}
	}
	mayNot := func(g grant.Grant) bool { return !by.MayGive(g) }
	switch {
	case len(gone) == 0 && c.takes:
		return nil, fault.Refuse(fault.CodeNotFound, "There is no such grant.")
	case slices.ContainsFunc(gone, mayNot), !c.takes && mayNot(c.of):
		return nil, fault.Refuse(fault.CodeDenied,
			"You can give and take roles for merchants and modes of which you are an administrator.")
	case !c.takes && len(all.Limits) > 0 && c.of.Role.ReturnsMoney() && c.of.Fits(by.Who):
		return nil, fault.Refuse(fault.CodeDenied,
			"Roles that return money have limits: another administrator gives you one.")
	case !grant.HasAdministrator(after):
		return nil, fault.Refuse(fault.CodeNotAllowed,
			"It is the last administrator for all merchants: give somebody else that role first.")
	}
	if !c.takes {
		if err := s.checkMerchants(ctx, c.of); err != nil {
			return nil, err
		}
	}
	all.Grants = after
	acts := c.act.Records(now, "operator/"+c.of.Who, changes...)
	return append(idem.With(nil, struct{}{}, all.record()), acts...), nil
}
