package payer

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/page/screen"
)

// showInstructions adds to a wait screen what the payer has to pay with, a second form and the time limit, until that
// time is over.
func showInstructions(page *screen.Screen, now time.Time, sess *checkout.Session) {
	next := sess.Action
	if next.Expired(now) {
		page.Message.Text = screen.TextCheckingPayment
		return
	}
	if page.Show = withRate(next.Show, cmp.Or(sess.Amount, sess.Request.Order.Amount.Value)); len(next.Show) > 0 {
		page.Message.Text = screen.TextPayElsewhere
		if !next.HasForm() {
			page.Actions = append([]screen.Action{screen.ActionPaid}, page.Actions...)
		}
	}
	if next.HasForm() {
		page.Message.Text, page.Step = screen.TextMoreNeeded, strconv.Itoa(next.Step)
		page.Fields = screenFields(next, &sess.Request, sess.Method)
	}
	if next.Text != "" {
		page.Message.Text = next.Text
	}
	if next.Kind == connector.ActionPending && !next.ExpiresAt.IsZero() && next.HasInstructions() {
		setExpiry(page, now, next.ExpiresAt)
		if next.ExpiresAt.Sub(now) >= longTime {
			page.Show = withDeadline(page.Show, next.ExpiresAt)
		}
	}
	if sess.Received == nil {
		return
	}
	r, err := payment.ParseReceipt(sess.Received, nil)
	if err != nil || !r.Underpaid() {
		return // not reached: only readable amounts below what is due are stored
	}
	page.Message.Text = screen.TextPartlyPaid
	page.Show = append(slices.Clone(page.Show),
		screen.ShowAmount("amount_received", r.Arrived), screen.ShowAmount("amount_missing", r.Missing()))
}

// withRate returns rows that say what one coin costs, if they name an amount of coins for an order in another currency
// and no rate. A coin that costs less than 1 has none, since it would be rounded too much.
func withRate(rows []screen.Shown, order money.Amount) []screen.Shown {
	coins := slices.IndexFunc(rows, func(row screen.Shown) bool { return row.ID == "crypto_amount" })
	told := slices.ContainsFunc(rows, func(row screen.Shown) bool { return row.ID == exchangeRate })
	if coins < 0 || told || order.IsZero() || rows[coins].Currency == order.Currency().Code {
		return rows
	}
	rate, err := order.Per(rows[coins].Value)
	if least, _ := money.Parse("1", order.Currency()); err != nil || rate.Cmp(least) < 0 {
		return rows
	}
	return slices.Insert(slices.Clone(rows), coins+1, screen.ShowAmount(exchangeRate, rate))
}

// exchangeRate is the id of the row of what one coin costs.
const exchangeRate = "exchange_rate"

// longTime is from how much time on payers are shown the end of it as a date. The page has a clock below that.
const longTime = 24 * time.Hour

// withDeadline returns rows that say until when the payer can pay.
func withDeadline(rows []screen.Shown, until time.Time) []screen.Shown {
	if slices.ContainsFunc(rows, func(row screen.Shown) bool { return row.Type == screen.ShownDeadline }) {
		return rows
	}
	return append(slices.Clone(rows), screen.ShowDeadline(until))
}

// setExpiry sets the time at which what the screen offers ends.
func setExpiry(screen *screen.Screen, now, end time.Time) {
	screen.ExpiresAt, screen.ExpiresInMS = end.UTC().Format(time.RFC3339), end.Sub(now).Milliseconds()
}
