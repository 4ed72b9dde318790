package faults

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"checkout/internal/checkout/payment"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/query"
	"checkout/internal/settings"
)

// neighbours is how many more merchants open sessions beside the shops: with them more than are listed at once.
const neighbours = 6

// listsAll checks that the pages of each merchant's list, and of the list of all, have each payment once, with what is
// stored of it, and no other merchant's.
func (x *faultRun) listsAll(payments []payment.Payment) {
	if x.n(4) == 0 {
		x.opensNeighbours()
	}
	if err := x.App.IndexChanges(context.Background()); err != nil {
		x.Errorf("index: %v", err)
	}
	merchants := []string{grant.AllMerchants}
	for _, s := range x.shops {
		merchants = append(merchants, s.Settings().ID)
	}
	for _, merchant := range merchants {
		for _, mode := range []grant.Mode{grant.Live, grant.Test} {
			x.listsOf(merchant, mode, payments)
		}
	}
}

// opensNeighbours has other merchants open sessions, two each.
func (x *faultRun) opensNeighbours() {
	x.counts("neighbours")
	for i := range neighbours {
		s := &faultShop{x: x, Shop: x.LiveShop()}
		s.Joins(fmt.Sprintf("-next-%d", i), func(m *settings.Merchant) {
			m.Mappings[0].MIDs = []settings.MID{s.mid("adapter")}
		})
		for n := range 2 {
			body := s.Sign(s.Order(fmt.Sprintf("next-%d", n)))
			if code, text := x.calls("/api/v1/session", body); code != http.StatusOK {
				x.Errorf("a neighbour's session: %d %s", code, text)
			}
		}
	}
}

// listsOf checks the pages of one merchant's list, or of all merchants.
func (x *faultRun) listsOf(merchant string, mode grant.Mode, payments []payment.Payment) {
	by := grant.Person{Grants: []grant.Grant{{Role: grant.Support, Merchants: []string{merchant}, Mode: mode}}}
	rows := map[string]query.Row{}
	f := query.Filter{Mode: string(mode), Limit: 1 + x.n(3)}
	if f.From = x.Clock.Now().AddDate(0, 0, -30); merchant != grant.AllMerchants {
		f.Merchant = merchant
	}
	for range maxPages {
		page, err := x.App.Reader.Payments(context.Background(), by, f)
		if err != nil || len(page.Rows) > f.Limit {
			x.Errorf("list %s of %s: %d rows, %v", mode, merchant, len(page.Rows), err)
			return
		}
		for _, row := range page.Rows {
			if _, twice := rows[row.PaymentID]; twice {
				x.Errorf("payment %s is listed twice", row.PaymentID)
			}
			rows[row.PaymentID] = row
		}
		if f.Cursor = page.Cursor; f.Cursor == "" {
			break
		}
	}
	for _, p := range payments {
		mine := p.Test == (mode == grant.Test) && (merchant == grant.AllMerchants || p.Merchant == merchant)
		row, listed := rows[p.ID]
		switch {
		case listed != mine:
			x.Errorf("payment %s of %s is listed: %t, among those of %s, %s", p.ID, p.Merchant, listed, merchant, mode)
		case listed && (row.Order != p.Order.Number || row.Currency != p.Order.Currency ||
			!slices.Contains([]string{p.Order.Amount.Text, p.Amount.String()}, row.Amount)):
			x.Errorf("payment %s is listed as order %s of %s", p.ID, row.Order, row.Amount)
		}
	}
}

// maxPages is more than a run has pages of a list.
const maxPages = 300
