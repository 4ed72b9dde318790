package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// totals sums up payments, as the API does. Amounts are decimal texts, each in the currency beside it.
type totals struct {
	Groups   []groupSum `json:"groups"`
	Sums     []sum      `json:"sums"`
	Declines []decline  `json:"declines"`
	Lines    int        `json:"lines"`
	Cursor   string     `json:"cursor,omitempty"` // the rest is to be added
}

type groupSum struct {
	groupOf
	Succeeded int    `json:"succeeded"`
	Failed    int    `json:"failed"`
	Amount    string `json:"amount"`
	Moved     string `json:"moved"` // from the payers; negative: to payers or payees
}

// groupOf is what transactions of a group have in common.
type groupOf struct {
	Day      string `json:"day"`
	Currency string `json:"currency"`
	Method   string `json:"method"`
	MID      string `json:"mid"`
	Type     string `json:"type"`
}

type sum struct {
	Currency string `json:"currency"`
	Paid     string `json:"paid"`
	Returned string `json:"returned"`
	PaidOut  string `json:"paid_out,omitempty"`
	Net      string `json:"net"`
	Attempts int    `json:"attempts"`
	Accepted int    `json:"accepted"`
}

type decline struct {
	ReasonCode string `json:"reason_code"`
	Text       string `json:"text"`
	Count      int    `json:"count"`
}

// add adds the rest of what totals are about.
func (t *totals) add(rest totals) {
	for _, g := range rest.Groups {
		to := at(&t.Groups, groupSum{groupOf: g.groupOf}, func(other groupSum) bool { return other.groupOf == g.groupOf })
		to.Succeeded, to.Failed = to.Succeeded+g.Succeeded, to.Failed+g.Failed
		to.Amount, to.Moved = plus(to.Amount, g.Amount), plus(to.Moved, g.Moved)
	}
	for _, s := range rest.Sums {
		to := at(&t.Sums, sum{Currency: s.Currency}, func(other sum) bool { return other.Currency == s.Currency })
		to.Paid, to.Returned, to.Net = plus(to.Paid, s.Paid), plus(to.Returned, s.Returned), plus(to.Net, s.Net)
		to.PaidOut = plus(to.PaidOut, s.PaidOut)
		to.Attempts, to.Accepted = to.Attempts+s.Attempts, to.Accepted+s.Accepted
	}
	for _, d := range rest.Declines {
		to := at(&t.Declines, decline{ReasonCode: d.ReasonCode, Text: d.Text},
			func(other decline) bool { return other.ReasonCode == d.ReasonCode })
		to.Count += d.Count
	}
	t.Lines += rest.Lines
	slices.SortStableFunc(t.Declines, func(a, b decline) int { return b.Count - a.Count })
}

// at returns the element of a list for which is reports true; without one it appends the empty one.
func at[E any](list *[]E, empty E, is func(E) bool) *E {
	i := slices.IndexFunc(*list, is)
	if i < 0 {
		*list, i = append(*list, empty), len(*list)
	}
	return &(*list)[i]
}

// plus adds two decimal numbers of a currency, exactly. An empty one is nothing.
func plus(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	x, _ := new(big.Rat).SetString(a)
	y, _ := new(big.Rat).SetString(b)
	places := 0
	for _, text := range []string{a, b} {
		_, decimals, _ := strings.Cut(text, ".")
		places = max(places, len(decimals))
	}
	return x.Add(x, y).FloatString(places)
}

func totalsCommand(c *call) *cobra.Command {
	var q *query
	var o *output
	cmd := c.command(leaf{
		use: "totals", does: "sum up payments by day, currency, method and MID, with reasons of declines",
		example: "totals --live --from 2026-11-01 --until 2026-11-30",
		run: func(ctx context.Context, _ []string) error {
			all, err := c.totals(ctx, q.values())
			if err != nil {
				return err
			}
			if o.people() {
				return printTotals(c.out, all)
			}
			line, err := json.Marshal(all)
			if err != nil {
				return err
			}
			return o.line(line)
		},
	})
	c.address(cmd)
	q, o = filtered(cmd), c.output(cmd)
	return cmd
}

// totals adds up all pages of totals.
func (c *call) totals(ctx context.Context, values url.Values) (all totals, err error) {
	all = totals{Groups: []groupSum{}, Sums: []sum{}, Declines: []decline{}}
	api, err := c.api(ctx)
	if err != nil {
		return all, err
	}
	for {
		var page totals
		if err := api.read(ctx, "/totals", values, &page); err != nil {
			return all, err
		}
		if all.add(page); page.Cursor == "" {
			return all, nil
		}
		values.Set("cursor", page.Cursor)
	}
}

// printTotals prints totals for people: money by currency, reasons of declines, then each group.
func printTotals(out io.Writer, t totals) error {
	parts := []struct {
		values  any
		columns []string
	}{
		{t.Sums, []string{"currency", "paid", "returned", "paid_out", "net", "attempts", "accepted"}},
		{t.Declines, []string{"count", "reason_code", "text"}},
		{t.Groups, []string{"day", "currency", "method", "mid", "type", "succeeded", "failed", "amount", "moved"}},
	}
	for _, part := range parts {
		text, err := json.Marshal(part.values)
		if err != nil {
			return err
		}
		var rows []json.RawMessage
		if err := decode(text, &rows); err != nil {
			return err
		}
		if err := table(out, rows, part.columns...); err != nil {
			return err
		}
		if len(rows) > 0 {
			fmt.Fprintln(out)
		}
	}
	_, err := fmt.Fprintf(out, "%d transactions\n", t.Lines)
	return err
}
