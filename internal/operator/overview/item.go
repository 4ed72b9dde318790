package overview

import (
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/query"
)

// Kind is what an item counts.
type Kind string

// The kinds.
const (
	Waiting   Kind = "waiting"   // requests whose outcome, or whose money, a person decides
	Approvals Kind = "approvals" // acts that wait for another person
	Parked    Kind = "parked"    // callbacks that are not sent any more
	Addresses Kind = "addresses" // addresses that callbacks are sent to in vain
	Circuits  Kind = "circuits"  // MIDs that are left out because their provider fails
	Closed    Kind = "closed"    // MIDs, methods and countries that operators have closed
	Disputes  Kind = "disputes"  // payments that were charged back or reversed lately, and not won back
)

// labels are the kinds for people.
var labels = map[Kind]string{
	Waiting: "Waiting for a person", Approvals: "Waiting for an approval", Parked: "Parked callbacks",
	Addresses: "Addresses that fail", Circuits: "Provider outages", Closed: "Closed by operators",
	Disputes: "Charged back or reversed in 7 days",
}

// Item is a count, with what is oldest of it.
type Item struct {
	Kind  Kind   `json:"kind"`
	Label string `json:"label"`
	Count int    `json:"count"`
	// More says that not all were read: there are at least Count.
	More bool `json:"more,omitempty"`
	// The oldest: since when, and the payment, merchant, MID or address that it is.
	Oldest    time.Time `json:"oldest,omitzero"`
	PaymentID string    `json:"payment_id,omitempty"`
	Merchant  string    `json:"merchant,omitempty"`
	Name      string    `json:"name,omitempty"`
}

// add counts one more. It is the oldest if its time is before that of the others.
func (i *Item) add(of Item) {
	i.Count++
	if i.Count == 1 || of.Oldest.Before(i.Oldest) {
		i.Oldest, i.PaymentID, i.Merchant, i.Name = of.Oldest, of.PaymentID, of.Merchant, of.Name
	}
}

// reading is one reading of an overview.
type reading struct {
	core   *checkout.Core
	reader *query.Reader
	by     grant.Person
	f      query.Filter
	now    time.Time
}

// sees reports whether the filter chooses payments of an owner that the person may see.
func (r reading) sees(o fault.Owner) bool {
	return r.test() == o.Test && r.seesMerchant(o.Merchant) && r.by.Level(grant.Find, o) > grant.None
}

func (r reading) test() bool { return r.f.Mode == string(grant.Test) }

func (r reading) seesMerchant(id string) bool { return r.f.Merchant == "" || r.f.Merchant == id }

// ownerOf reads the text of an owner.
func ownerOf(text string) fault.Owner {
	mode, merchant, _ := strings.Cut(text, "/")
	return fault.Owner{Merchant: merchant, Test: mode == string(grant.Test)}
}
