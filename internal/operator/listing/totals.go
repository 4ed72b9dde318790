package listing

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// Group is a sum of lines of the journal that have a day, a currency, a method, a MID and a type in common.
type Group struct {
	Day       string            `json:"day"`
	Currency  string            `json:"currency"`
	Method    string            `json:"method"`
	MID       string            `json:"mid"`
	Type      payment.EventType `json:"type"`
	Succeeded int               `json:"succeeded"`
	Failed    int               `json:"failed"`
	Amount    string            `json:"amount"` // of those that succeeded
	Moved     string            `json:"moved"`  // money from the payers; negative: to payers or payees
}

// Sum is the money of a currency. Net is Paid without what was returned and paid out.
type Sum struct {
	Currency string `json:"currency"`
	Paid     string `json:"paid"`
	Returned string `json:"returned"` // refunds, voids of captured payments, chargebacks
	PaidOut  string `json:"paid_out,omitempty"`
	Net      string `json:"net"`
	Attempts int    `json:"attempts"` // charges that have ended; payouts are none
	Accepted int    `json:"accepted"`
}

// Decline is how often a reason was given for a charge that failed.
type Decline struct {
	ReasonCode string `json:"reason_code"`
	Text       string `json:"text"`
	Count      int    `json:"count"`
}

// Totals sums up what a filter chooses.
type Totals struct {
	Groups   []Group   `json:"groups"`
	Sums     []Sum     `json:"sums"`
	Declines []Decline `json:"declines"` // the most frequent first
	Lines    int       `json:"lines"`
	Cursor   string    `json:"cursor,omitempty"` // the rest is to be added
}

// SumUp sums up lines of the journal, by the days of a zone.
func SumUp(lines []Line, zone *time.Location) (Totals, error) {
	adder := NewAdder(zone)
	for _, line := range lines {
		if err := adder.Add(line); err != nil {
			return Totals{}, err
		}
	}
	return adder.Totals()
}

// Adder adds up lines of the journal. NewAdder makes one.
type Adder struct {
	zone     *time.Location
	groups   map[Group]*groupSum
	declines map[reason.Code]int
	lines    int
}

// NewAdder makes an adder that sums up by the days of a zone.
func NewAdder(zone *time.Location) *Adder {
	return &Adder{zone, map[Group]*groupSum{}, map[reason.Code]int{}, 0}
}

// Add adds a line. It fails if an amount of it can't be read.
func (a *Adder) Add(line Line) error {
	key := Group{
		Day: line.At.In(a.zone).Format(time.DateOnly), Currency: line.Currency, Method: line.Method, MID: line.MID,
		Type: line.Type,
	}
	return a.add(key, cellOf(line))
}

// add adds lines of a group.
func (a *Adder) add(key Group, of cell) error {
	currency, _ := money.Find(key.Currency)
	if a.groups[key] == nil {
		a.groups[key] = &groupSum{Group: key, amount: newBalance(currency), moved: newBalance(currency)}
	}
	for code, n := range of.Declines {
		a.declines[code] += n
	}
	a.lines += of.Succeeded + of.Failed
	return a.groups[key].add(of)
}

// Totals returns the sums of what was added. It fails if they are too large.
func (a *Adder) Totals() (Totals, error) {
	sums := map[string]*currencySum{}
	for key, g := range a.groups {
		if sums[key.Currency] == nil {
			currency, _ := money.Find(key.Currency)
			sums[key.Currency] = newCurrencySum(currency)
		}
		of := cell{Succeeded: g.Succeeded, Failed: g.Failed, Moved: g.moved.String()}
		if err := sums[key.Currency].add(key.Type, of); err != nil {
			return Totals{}, err
		}
	}
	return totalsOf(a.groups, sums, a.declines, a.lines), nil
}

func totalsOf(
	groups map[Group]*groupSum, sums map[string]*currencySum, declines map[reason.Code]int, lines int,
) Totals {
	t := Totals{Groups: []Group{}, Sums: []Sum{}, Declines: []Decline{}, Lines: lines}
	for _, g := range groups {
		g.Amount, g.Moved = g.amount.String(), g.moved.String()
		t.Groups = append(t.Groups, g.Group)
	}
	slices.SortFunc(t.Groups, func(a, b Group) int {
		return cmp.Or(strings.Compare(b.Day, a.Day), strings.Compare(a.Currency, b.Currency),
			strings.Compare(a.Method, b.Method), strings.Compare(a.MID, b.MID), cmp.Compare(a.Type, b.Type))
	})
	for code, c := range sums {
		t.Sums = append(t.Sums, c.sum(code))
	}
	slices.SortFunc(t.Sums, func(a, b Sum) int { return strings.Compare(a.Currency, b.Currency) })
	for code, n := range declines {
		t.Declines = append(t.Declines, Decline{string(code), code.Plain(), n})
	}
	slices.SortFunc(t.Declines, func(a, b Decline) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.ReasonCode, b.ReasonCode))
	})
	return t
}

// charges are the types of lines of charges, by which payers pay.
var charges = []payment.EventType{
	payment.EventSale, payment.EventDebit, payment.EventTransfer, payment.EventRecurring,
}

func isCharge(kind payment.EventType) bool { return slices.Contains(charges, kind) }

// cell is the sums of lines that are alike.
type cell struct {
	Succeeded, Failed int
	Amount, Moved     string              // as Group has them
	Declines          map[reason.Code]int // of charges
}

func cellOf(line Line) cell {
	of := cell{Failed: 1, Moved: line.Moved}
	if line.Status == payment.Success {
		of.Succeeded, of.Failed, of.Amount = 1, 0, line.Amount
	}
	if line.Status == payment.Fail && isCharge(line.Type) {
		of.Declines = map[reason.Code]int{line.ReasonCode: 1}
	}
	return of
}

// IsPayIn reports whether the line is of a charge by which a payer pays: not of a payout.
func (l Line) IsPayIn() bool { return isCharge(l.Type) }

type groupSum struct {
	Group
	amount, moved balance
}

func (g *groupSum) add(of cell) error {
	g.Succeeded, g.Failed = g.Succeeded+of.Succeeded, g.Failed+of.Failed
	return cmp.Or(g.amount.add(of.Amount), g.moved.add(of.Moved))
}

// currencySum is the money of a currency by what it was for.
type currencySum struct {
	Sum
	paid, returned, paidOut, net balance
}

func newCurrencySum(c money.Currency) *currencySum {
	return &currencySum{paid: newBalance(c), returned: newBalance(c), paidOut: newBalance(c), net: newBalance(c)}
}

func (c *currencySum) add(kind payment.EventType, sum cell) error {
	of, moved := &c.returned, Negative(sum.Moved)
	switch {
	case kind == payment.EventCredit:
		of = &c.paidOut
	case isCharge(kind):
		c.Attempts, c.Accepted = c.Attempts+sum.Succeeded+sum.Failed, c.Accepted+sum.Succeeded
		of, moved = &c.paid, sum.Moved
	case kind == payment.EventCapture:
		of, moved = &c.paid, sum.Moved
	}
	return cmp.Or(of.add(moved), c.net.add(sum.Moved))
}

func (c *currencySum) sum(code string) Sum {
	c.Currency, c.Paid, c.Returned, c.Net = code, c.paid.String(), c.returned.String(), c.net.String()
	if !c.paidOut.isZero() {
		c.PaidOut = c.paidOut.String()
	}
	return c.Sum
}

// balance is a sum of amounts of both signs.
type balance struct{ plus, minus money.Amount }

func newBalance(c money.Currency) balance { return balance{money.Zero(c), money.Zero(c)} }

// add adds a signed amount, "" for none.
func (b *balance) add(text string) error {
	digits, minus := strings.CutPrefix(text, "-")
	amount, err := money.Parse(digits, b.plus.Currency())
	switch {
	case text == "" || errors.Is(err, money.ErrNotPositive):
		return nil
	case err != nil:
		return fmt.Errorf("a line of the journal has the amount %q: %w", text, err)
	case minus:
		b.minus, err = b.minus.Add(amount)
	default:
		b.plus, err = b.plus.Add(amount)
	}
	return err
}

func (b balance) isZero() bool { return b.plus.Cmp(b.minus) == 0 }

// String returns the sum as signed decimal text.
func (b balance) String() string {
	if b.plus.Cmp(b.minus) < 0 {
		less, _ := b.minus.Sub(b.plus) // which is more
		return "-" + less.String()
	}
	more, _ := b.plus.Sub(b.minus)
	return more.String()
}
