package query

import (
	"slices"
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/listing"
)

// Filter chooses payments of a time. Empty members choose all. Of lines of the journal the time, the method, the MID,
// the currency and the reason code are their own, and the other members those of their payment.
type Filter struct {
	Merchant            string // id; "": all that the person may see
	Mode                string // live or test; "": live
	From, Until         time.Time
	Status, Method, MID string
	Currency, Amount    string
	Country, Card       string // Card: the last four digits
	ApprovalCode        string
	Callbacks           callback.State
	ReasonCode          string
	Cursor              string
	Limit               int            // rows; 0: 50, at most 500
	Zone                *time.Location // of days; nil: UTC
}

// The limits of a page.
const (
	defaultLimit = 50
	mostRows     = 500
)

func (f Filter) test() bool { return f.Mode == string(grant.Test) }

// modes are those that the filter names, "" for both.
func (f Filter) modes() []string {
	if f.Mode == "" {
		return []string{string(grant.Live), string(grant.Test)}
	}
	return []string{f.Mode}
}

// zone returns the zone of days.
func (f Filter) zone() *time.Location {
	if f.Zone == nil {
		return time.UTC
	}
	return f.Zone
}

func (f Filter) rows() int {
	if f.Limit <= 0 {
		return defaultLimit
	}
	return min(f.Limit, mostRows)
}

// byRow reports whether the filter has members that only rows of payments have.
func (f Filter) byRow() bool {
	return f.Status+f.Amount+f.Country+f.Card+f.ApprovalCode+string(f.Callbacks) != ""
}

// all reports whether the filter chooses all payments of its time.
func (f Filter) all() bool { return !f.byRow() && f.Method+f.MID+f.Currency+f.ReasonCode == "" }

// takes reports whether the filter chooses a row, but for its time.
func (f Filter) takes(row Row) bool {
	return is(f.Method, row.Method) && is(f.MID, row.MID) && is(f.Currency, row.Currency) &&
		is(f.ReasonCode, string(row.ReasonCode)) && f.takesPayment(row)
}

// takesPayment reports whether the members choose a row that lines have of their payments.
func (f Filter) takesPayment(row Row) bool {
	return is(f.Status, row.State) && is(strings.ToUpper(f.Country), row.Country) &&
		is(strings.ToLower(f.ApprovalCode), strings.ToLower(row.ApprovalCode)) &&
		is(string(f.Callbacks), string(row.Callbacks)) &&
		(f.Card == "" || row.LastFour() == f.Card) && (f.Amount == "" || row.HasAmount(f.Amount))
}

func (f Filter) takesLine(line listing.Line) bool {
	return is(f.Method, line.Method) && is(f.MID, line.MID) && is(f.Currency, line.Currency) &&
		is(f.ReasonCode, string(line.ReasonCode))
}

// is reports whether a member of a filter chooses a value.
func is(wanted, value string) bool { return wanted == "" || wanted == value }

// check refuses what no list can be made of.
func (f Filter) check() error {
	switch f.Mode {
	case "", string(grant.Live), string(grant.Test):
	default:
		return fault.At("mode", "It should be live or test.")
	}
	if !f.Until.IsZero() && f.Until.Before(f.From) {
		return fault.At("until", "It should not be before from.")
	}
	if f.Card != "" && (len(f.Card) != 4 || strings.Trim(f.Card, "0123456789") != "") {
		return fault.At("card", "It should be the last four digits.")
	}
	return nil
}

// owners returns the owners that a filter names and a person may see by a right. all is true instead if these are all
// that have payments; visible then says of each whether it is one.
func (f Filter) owners(by grant.Person, right grant.Right) (owners []string, all bool) {
	if f.Merchant != "" {
		o := fault.Owner{Merchant: f.Merchant, Test: f.test()}
		if by.Level(right, o) == grant.None {
			return nil, false
		}
		return []string{o.Text()}, false
	}
	for _, g := range by.Grants {
		for _, id := range g.Merchants {
			o := fault.Owner{Merchant: id, Test: f.test()}
			if id == grant.AllMerchants {
				all = all || (grant.Person{Grants: []grant.Grant{g}}).Has(right)
			} else if by.Level(right, o) > grant.None {
				owners = append(owners, o.Text())
			}
		}
	}
	slices.Sort(owners)
	return slices.Compact(owners), all
}

// visible reports whether an owner is one that the filter names and a person may see by a right.
func (f Filter) visible(by grant.Person, right grant.Right, owner string) bool {
	o := ownerOf(owner)
	return o.Test == f.test() && is(f.Merchant, o.Merchant) && by.Level(right, o) > grant.None
}
