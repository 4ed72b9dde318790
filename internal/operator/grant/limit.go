package grant

import (
	"errors"
	"slices"
	"strings"

	"checkout/internal/fault"
	"checkout/internal/money"
)

// Limit is what a person with a role may return to payers alone: in one act, and in all acts of a day in UTC. What goes
// beyond it waits for another person. Amounts are in major units of the currency.
type Limit struct {
	Role Role `json:"role"`
	// Currency is a code, or AnyCurrency for all that have no limit of their own.
	Currency string `json:"currency"`
	One      string `json:"one"` // of one act
	Day      string `json:"day"` // of a person and day
}

// AnyCurrency stands for every other currency in a limit. Its amounts are 0: they have no common unit.
const AnyCurrency = "*"

// Check returns every fault of a limit that is to be set.
func (l Limit) Check() (faults []fault.Fault) {
	if !l.Role.ReturnsMoney() {
		faults = append(faults, fault.Of("role", "It should be a role that may return money."))
	}
	currency, known := money.Find(l.Currency)
	if !known && l.Currency != AnyCurrency {
		return append(faults, fault.Of("currency", "It should be the code of a currency, or * for all other ones."))
	}
	for _, named := range [][2]string{{"one", l.One}, {"day", l.Day}} {
		_, err := limitOf(named[1], currency)
		switch {
		case l.Currency == AnyCurrency && named[1] != "0":
			faults = append(faults, fault.Of(named[0], "Amounts of several currencies have no common limit: it should be 0."))
		case l.Currency != AnyCurrency && err != nil:
			faults = append(faults, fault.Of(named[0], "It should be an amount in "+l.Currency+", or 0."))
		}
	}
	return faults
}

// limitOf reads an amount, which may be zero.
func limitOf(text string, currency money.Currency) (money.Amount, error) {
	amount, err := money.Parse(text, currency)
	if errors.Is(err, money.ErrNotPositive) && strings.Trim(text, "0.") == "" {
		return money.Zero(currency), nil
	}
	return amount, err
}

// Text says what a limit allows.
func (l Limit) Text() string {
	if l.Currency == AnyCurrency {
		return string(l.Role) + ": nothing in other currencies"
	}
	return string(l.Role) + ": " + l.One + " " + l.Currency + " at once, " + l.Day + " " + l.Currency + " a day"
}

// SameLimit reports whether two limits are for the same role and currency.
func SameLimit(a, b Limit) bool { return a.Role == b.Role && a.Currency == b.Currency }

// Return is money that returns to the payer of an owner's payment, by an act that needs a right.
type Return struct {
	fault.Owner
	Right  Right
	Amount money.Amount
}

// MayReturn says why the person may not return money alone, "" if they may. today is what they have returned before on
// that day. A person with several roles that have the right is held to the widest limit.
func (p Person) MayReturn(r Return, today money.Amount) (why string) {
	why = "Your roles may return no money of that merchant."
	for _, g := range p.Grants {
		if !g.covers(r.Owner) || rights[r.Right][g.Role][modeOf(r.Owner)] < Full {
			continue
		}
		over := p.limitOf(g.Role, r.Amount.Currency().Code).exceededBy(r.Amount, today)
		if over == "" {
			return ""
		}
		why = over
	}
	return why
}

// limitOf returns the limit of a role, nil if there is none.
func (p Person) limitOf(role Role, currency string) *Limit {
	for _, code := range []string{currency, AnyCurrency} {
		for i := range p.Limits {
			if SameLimit(p.Limits[i], Limit{Role: role, Currency: code}) {
				return &p.Limits[i]
			}
		}
	}
	return nil
}

// exceededBy says which part of the limit an amount exceeds, "" for none. A limit that can't be read allows nothing.
func (l *Limit) exceededBy(amount, today money.Amount) string {
	if l == nil {
		return ""
	}
	currency := amount.Currency()
	one, errOne := limitOf(l.One, currency)
	most, errDay := limitOf(l.Day, currency)
	sum, errSum := today.Add(amount)
	switch {
	case l.Currency == AnyCurrency:
		return "Your role may return nothing in " + currency.Code + " alone."
	case errOne != nil || amount.Cmp(one) > 0:
		return "Your role may return " + l.One + " " + currency.Code + " at once."
	case errDay != nil || errSum != nil || sum.Cmp(most) > 0:
		return "Your role may return " + l.Day + " " + currency.Code + " a day, and you have returned " + today.String() +
			" " + currency.Code + " today."
	}
	return ""
}

// IsSame reports whether two callers may be one person: under one name as it stays, or with one verified address.
func (p Person) IsSame(stable, name string) bool {
	return StableName(p.Who) == stable || p.Name != "" && strings.EqualFold(p.Name, name)
}

// ReturnsMoney reports whether a role may return money, which limits are for.
func (r Role) ReturnsMoney() bool {
	return rights[Money][r] != [2]Level{} || rights[Settle][r] != [2]Level{}
}

func modeOf(o fault.Owner) int {
	if o.Test {
		return 1
	}
	return 0
}

// OwnLimits are the limits of the person's roles.
func (p Person) OwnLimits() []Limit {
	return slices.DeleteFunc(slices.Clone(p.Limits), func(l Limit) bool {
		return !slices.ContainsFunc(p.Grants, func(g Grant) bool { return g.Role == l.Role })
	})
}
