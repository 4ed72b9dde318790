package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// filters are the flags that choose payments, with what each means. The API knows them by the same names.
var filters = []struct{ name, means string }{
	{"merchant", "`ID` of the merchant; without it all that you may see"},
	{"from", "first `DAY` or time, such as 2026-11-23"},
	{"until", "last `DAY` or time"},
	{"zone", "time `ZONE` of days, such as Europe/Oslo; without it UTC"},
	{"status", "`STATE` of the payment"},
	{"method", "payment `METHOD`"},
	{"mid", "`MID` that took it"},
	{"currency", "`CODE` of the currency"},
	{"amount", "`AMOUNT` of the payment"},
	{"country", "`CODE` of the payer's country"},
	{"card", "last four `DIGITS` of the card"},
	{"approval-code", "approval `CODE`"},
	{"callbacks", "`STATE` of its callbacks: parked, waiting or delivered"},
	{"reason-code", "`CODE` of the reason of a decline"},
}

// query is what a command sends to be read: its filters, and whether it is about live payments.
type query struct {
	cmd  *cobra.Command
	live bool
	url  string // of callbacks
}

// filtered adds the flags of some filters, all if none is named, and that of live payments.
func filtered(cmd *cobra.Command, names ...string) *query {
	q := &query{cmd: cmd}
	for _, f := range filters {
		if wanted := " " + strings.Join(names, " ") + " "; len(names) == 0 || strings.Contains(wanted, " "+f.name+" ") {
			cmd.Flags().String(f.name, "", f.means)
		}
	}
	live(cmd, &q.live)
	return q
}

// values are the filters by the names that the API has for them.
func (q *query) values() url.Values {
	values := url.Values{"mode": {mode(q.live)}}
	for _, f := range filters {
		if flag := q.cmd.Flags().Lookup(f.name); flag != nil && flag.Value.String() != "" {
			values.Set(strings.ReplaceAll(f.name, "-", "_"), flag.Value.String())
		}
	}
	if q.url != "" {
		values.Set("url", q.url)
	}
	return values
}

// pages is how much of a list is read.
type pages struct {
	limit  int
	all    bool
	cursor string
}

func paged(cmd *cobra.Command) *pages {
	p := &pages{}
	cmd.Flags().IntVar(&p.limit, "limit", 50, "how `MANY` at most")
	cmd.Flags().BoolVar(&p.all, "all", false, "all of them, however many")
	cmd.Flags().StringVar(&p.cursor, "cursor", "", "go on at a `PLACE` that was printed")
	return p
}

// largestPage is how many the API lists at once.
const largestPage = 500

// list is a list of the API.
type list struct {
	path    string
	member  string // of the response, with the rows
	limits  bool   // the API takes a limit
	columns []string
}

// read reads pages of a list until there are as many rows as wanted, and prints them. It returns the last page.
func (l list) read(ctx context.Context, o *output, p *pages, values url.Values) (last json.RawMessage, err error) {
	api, err := o.c.api(ctx)
	if err != nil {
		return nil, err
	}
	var rows []json.RawMessage
	for count := 0; ; {
		if p.cursor != "" {
			values.Set("cursor", p.cursor)
		}
		if l.limits && p.all {
			values.Set("limit", strconv.Itoa(largestPage))
		} else if l.limits {
			values.Set("limit", strconv.Itoa(min(p.limit-count, largestPage)))
		}
		if last, _, err = api.get(ctx, l.path, values); err != nil {
			return nil, err
		}
		var page []json.RawMessage
		if err := decode(member(last, l.member), &page); err != nil {
			return nil, err
		}
		count += len(page)
		if rows = append(rows, page...); !o.people() { // programs need not wait for the rest
			if err := o.all(rows); err != nil {
				return nil, err
			}
			rows = nil
		}
		p.cursor = text(member(last, "cursor"))
		if p.cursor == "" || !p.all && count >= p.limit {
			break
		}
	}
	if err := o.all(rows, l.columns...); err != nil {
		return nil, err
	}
	if to := text(member(last, "searched_to")); to != "" && p.cursor != "" {
		fmt.Fprintf(o.c.notes, "searched to %s\n", to)
	}
	switch {
	case p.cursor != "":
		fmt.Fprintf(o.c.notes, "more with --cursor %s\n", p.cursor)
	case string(member(last, "more")) == "true":
		fmt.Fprintln(o.c.notes, "there are older ones, which are not listed")
	}
	return last, nil
}
