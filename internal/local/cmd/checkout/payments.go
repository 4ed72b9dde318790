package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/spf13/cobra"
)

// rowColumns are what is shown of payments in a list.
var rowColumns = []string{"created_at", "merchant", "mode", "id", "order", "state", "amount", "currency", "method",
	"mid", "card", "email", "callbacks"}

func findCommand(c *call) *cobra.Command {
	var q *query
	var o *output
	var day, cursor string
	var all bool
	cmd := c.command(leaf{
		use: "find TEXT", does: "find payments by whatever you have: order, id, e-mail, name, phone, amount and day, ...",
		example: `find --live "4242 2026-11-23"`, args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			values := q.values()
			values.Set("q", args[0])
			if day != "" {
				values.Set("day", day)
			}
			if cursor != "" {
				values.Set("cursor", cursor)
			}
			return c.find(ctx, o, values, all)
		},
	})
	c.address(cmd)
	q, o = filtered(cmd, "zone", "merchant"), c.output(cmd)
	cmd.Flags().StringVar(&day, "day", "", "`DAY` of the payment, for card digits, amounts and approval codes")
	cmd.Flags().StringVar(&cursor, "cursor", "", "go on at a `PLACE` that was printed")
	cmd.Flags().BoolVar(&all, "all", false, "all of them, however many")
	return cmd
}

// found is a page of what was found.
type found struct {
	Rows       []json.RawMessage `json:"rows"`
	By         string            `json:"by"`
	Cursor     string            `json:"cursor"`
	Note       string            `json:"note"`
	Searched   int               `json:"searched"`
	SearchedTo string            `json:"searched_to"`
}

// find prints what is found. It goes on until something is, or until all is.
func (c *call) find(ctx context.Context, o *output, values url.Values, all bool) error {
	api, err := c.api(ctx)
	if err != nil {
		return err
	}
	var rows []json.RawMessage
	var page found
	for searched := 0; ; values.Set("cursor", page.Cursor) {
		page = found{}
		if err := api.read(ctx, "/find", values, &page); err != nil {
			return err
		}
		rows, searched = append(rows, page.Rows...), searched+page.Searched
		if page.Searched = searched; page.Cursor == "" || !all && len(rows) > 0 {
			break
		}
	}
	if err := o.all(rows, rowColumns...); err != nil {
		return err
	}
	c.tellFound(len(rows), page)
	if len(rows) == 0 {
		return errNothing
	}
	return nil
}

// tellFound says what was searched, and how to go on.
func (c *call) tellFound(n int, page found) {
	fmt.Fprintf(c.notes, "%d found by %s\n", n, printable(page.By))
	if page.Searched > 0 {
		fmt.Fprintf(c.notes, "%d payments searched, back to %s\n", page.Searched, printable(page.SearchedTo))
	}
	if page.Cursor != "" {
		fmt.Fprintf(c.notes, "more with --cursor %s\n", page.Cursor)
	}
	if page.Note != "" {
		fmt.Fprintln(c.notes, printable(page.Note))
	}
}

func paymentCommands(c *call) *cobra.Command {
	return group("payments", "find, understand and change payments",
		c.listCommand(leaf{use: "list", does: "list payments, the latest first",
			example: "payments list --status decline --from 2026-11-23"},
			list{"/payments", "rows", true, rowColumns}),
		c.showCommand(),
		c.refundCommand(),
		c.followUpCommand("capture", "capture what was authorised, all of it or a part", true),
		c.followUpCommand("void", "void what was authorised", false),
		c.retryCommand(), c.lookUpCommand(), c.settleCommand(), c.noteCommand(), c.endCheckoutCommand(), c.waitingCommand(),
		c.listCommand(leaf{use: "under-way", does: "list requests to providers that are not decided",
			example: "payments under-way --live"},
			list{"/under-way", "requests", false, []string{"sent_at", "due_at", "late", "merchant", "mode", "payment_id",
				"order", "type", "amount", "currency", "mid", "look_ups"}}, "merchant"))
}

// listCommand makes a command that prints a list, which some filters choose from, all if none is named.
func (c *call) listCommand(of leaf, l list, names ...string) *cobra.Command {
	var q *query
	var o *output
	var p *pages
	of.run = func(ctx context.Context, _ []string) error {
		_, err := l.read(ctx, o, p, q.values())
		return err
	}
	cmd := c.command(of)
	c.address(cmd)
	q, o, p = filtered(cmd, names...), c.output(cmd), paged(cmd)
	return cmd
}

func (c *call) waitingCommand() *cobra.Command {
	var o *output
	var p *pages
	l := list{"/waiting", "requests", false, []string{"unknown_since", "merchant", "mode", "payment_id", "order", "type",
		"amount", "currency", "mid", "reference", "look_ups", "why"}}
	cmd := c.command(leaf{
		use: "waiting", does: "list what waits for a person, live and test, the longest first",
		example: "payments waiting",
		run: func(ctx context.Context, _ []string) error {
			_, err := l.read(ctx, o, p, url.Values{})
			return err
		},
	})
	c.address(cmd)
	o, p = c.output(cmd), paged(cmd)
	return cmd
}
