package query

import (
	"fmt"
	"testing"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/listing"
	"checkout/internal/reason"
)

// A filter chooses the payments and the lines that have all that it names. Of a payment that a line is of, it asks for
// what the line has not.
func TestFilter(t *testing.T) {
	row := Row{State: "settled", Row: listing.Row{Method: "card", MID: "mid", Currency: "USD", Country: "DE",
		ReasonCode: reason.Declined, Card: "411111******4242", Amount: "12.50", ApprovalCode: "Ok12",
		Callbacks: callback.Parked}}
	line := listing.Line{Method: "card", MID: "mid", Currency: "USD", ReasonCode: reason.Declined}
	for _, x := range []struct {
		f     Filter
		row   bool   // it chooses the row
		kinds string // what it names: what rows have, what lines have, or both
	}{
		{Filter{}, true, ""},
		{Filter{Method: "card"}, true, "line"}, {Filter{Method: "pix"}, false, "line"},
		{Filter{MID: "mid"}, true, "line"}, {Filter{MID: "other"}, false, "line"},
		{Filter{Currency: "USD"}, true, "line"}, {Filter{Currency: "EUR"}, false, "line"},
		{Filter{ReasonCode: "declined"}, true, "line"}, {Filter{ReasonCode: "other"}, false, "line"},
		{Filter{Status: "settled"}, true, "row"}, {Filter{Status: "refund"}, false, "row"},
		{Filter{Country: "de"}, true, "row"}, {Filter{Country: "AT"}, false, "row"},
		{Filter{Card: "4242"}, true, "row"}, {Filter{Card: "4241"}, false, "row"},
		{Filter{Amount: "12.5"}, true, "row"}, {Filter{Amount: "12.51"}, false, "row"}, {Filter{Amount: "x"}, false, "row"},
		{Filter{ApprovalCode: "oK12"}, true, "row"}, {Filter{ApprovalCode: "ok1"}, false, "row"},
		{Filter{Callbacks: callback.Parked}, true, "row"}, {Filter{Callbacks: callback.Waiting}, false, "row"},
		{Filter{Status: "settled", Method: "card"}, true, "row line"},
	} {
		byLine := x.row || x.kinds != "line"
		byPayment := x.row || x.kinds == "line"
		if x.f.takes(row) != x.row || x.f.takesLine(line) != byLine || x.f.takesPayment(row) != byPayment {
			t.Errorf("%+v: %t, %t, %t", x.f, x.f.takes(row), x.f.takesLine(line), x.f.takesPayment(row))
		}
		if x.f.all() != (x.kinds == "") || x.f.byRow() != (x.kinds == "row" || x.kinds == "row line") {
			t.Errorf("%+v: all %t, by row %t", x.f, x.f.all(), x.f.byRow())
		}
	}
	for card, want := range map[string]string{"": "", "424": "", "4242": "4242", "411111******1111": "1111"} {
		if got := (&listing.Row{Card: card}).LastFour(); got != want {
			t.Errorf("%q ends in %q", card, got)
		}
	}
	for limit, want := range map[int]int{-1: 50, 0: 50, 1: 1, 50: 50, 500: 500, 501: 500} {
		if got := (Filter{Limit: limit}).rows(); got != want {
			t.Errorf("%d: %d rows", limit, got)
		}
	}
}

// A filter names those owners that the person may see by the right, each once, and no others are visible.
func TestFilterOwners(t *testing.T) {
	g := func(role grant.Role, mode grant.Mode, merchants ...string) grant.Grant {
		return grant.Grant{Role: role, Mode: mode, Merchants: merchants}
	}
	finance, viewer := g(grant.Finance, grant.Both, "m-2", "m-1"), g(grant.Viewer, grant.Both, "m-3")
	all, allViewer := g(grant.Finance, grant.Live, "*"), g(grant.Viewer, grant.Both, "*")
	for _, x := range []struct {
		grants []grant.Grant
		f      Filter
		want   string // the owners that are named, and whether all are meant; then those of some that are visible
	}{
		{nil, Filter{}, "[] false []"},
		{[]grant.Grant{finance}, Filter{}, "[live/m-1 live/m-2] false [live/m-1 live/m-2]"},
		{[]grant.Grant{finance, finance, viewer}, Filter{}, "[live/m-1 live/m-2] false [live/m-1 live/m-2]"},
		{[]grant.Grant{finance, viewer}, Filter{Mode: "test"}, "[test/m-1 test/m-2] false [test/m-1]"},
		{[]grant.Grant{finance}, Filter{Merchant: "m-2"}, "[live/m-2] false [live/m-2]"},
		{[]grant.Grant{finance, viewer}, Filter{Merchant: "m-3"}, "[] false []"},
		{[]grant.Grant{g(grant.Finance, grant.Test, "m-1")}, Filter{}, "[] false []"},
		{[]grant.Grant{all}, Filter{}, "[] true [live/m-1 live/m-2 live/m-3]"},
		{[]grant.Grant{allViewer}, Filter{}, "[] false []"}, {[]grant.Grant{all, allViewer}, Filter{}, "[] true " +
			"[live/m-1 live/m-2 live/m-3]"},
		{[]grant.Grant{all}, Filter{Merchant: "m-3"}, "[live/m-3] false [live/m-3]"},
	} {
		by := grant.Person{Grants: x.grants}
		owners, every := x.f.owners(by, grant.Sums)
		visible := []string{}
		for _, owner := range []string{"live/m-1", "live/m-2", "live/m-3", "test/m-1"} {
			if x.f.visible(by, grant.Sums, owner) {
				visible = append(visible, owner)
			}
		}
		if got := fmt.Sprint(owners, every, visible); got != x.want {
			t.Errorf("%+v, %+v: %s", x.grants, x.f, got)
		}
	}
}

// A row has the state of its payment, or else of its session as it is now, and nothing of how it was stored. Who may
// not see addresses gets their beginning, and who may not see the payment nothing.
func TestRowFor(t *testing.T) {
	for _, x := range []struct {
		row  listing.Row
		want string
	}{
		{listing.Row{Status: payment.StatusSettled, Session: checkout.SessionOpen}, "settled"},
		{listing.Row{Session: checkout.SessionOpen, OpenUntil: sentAt.Add(1)}, "open"},
		{listing.Row{Session: checkout.SessionOpen, OpenUntil: sentAt}, "expired"},
		{listing.Row{Session: checkout.SessionCancelled, OpenUntil: sentAt}, "cancelled"},
	} {
		x.row.Owner, x.row.PaymentID, x.row.Email = "test/m-1", "id", "äve@example.com"
		x.row.Seen, x.row.Handles, x.row.Lines, x.row.LinesHash = 1, []string{"h"}, 1, "hash"
		for role, email := range map[grant.Role]string{grant.Support: x.row.Email, grant.Viewer: "ä***@example.com"} {
			got, ok := rowFor(person(role, "m-1"), grant.Find, x.row, sentAt)
			want := Row{Merchant: "m-1", Mode: "test", ID: "id", State: x.want, Row: listing.Row{Owner: "test/m-1",
				PaymentID: "id", Email: email, Status: x.row.Status, Session: x.row.Session, OpenUntil: x.row.OpenUntil}}
			if fmt.Sprintf("%+v %t", got, ok) != fmt.Sprintf("%+v true", want) {
				t.Errorf("%s: %+v, %t, want %+v", role, got, ok, want)
			}
		}
		if got, ok := rowFor(person(grant.Support, "m-2"), grant.Find, x.row, sentAt); ok || got.ID != "" {
			t.Errorf("for another merchant's person: %+v", got)
		}
	}
	if got := maskedEmail(""); got != "" || modeOf(fault.Owner{}) != "live" {
		t.Errorf("no address is shown as %q", got)
	}
}
