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
	var day string
	cmd := c.command(leaf{
		use: "find TEXT", does: "find payments by whatever you have: order, id, e-mail, RRN, card token, amount and day, ...",
		example: `find --live "4242 2026-11-23"`, args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			values := q.values()
			values.Set("q", args[0])
			if day != "" {
				values.Set("day", day)
			}
			return c.find(ctx, o, values)
		},
	})
	c.address(cmd)
	q, o = filtered(cmd, "merchant"), c.output(cmd)
	cmd.Flags().StringVar(&day, "day", "", "`DAY` of the payment, for card digits, amounts and approval codes")
	return cmd
}

func (c *call) find(ctx context.Context, o *output, values url.Values) error {
	api, err := c.api(ctx)
	if err != nil {
		return err
	}
	var found struct {
		Rows []json.RawMessage `json:"rows"`
		By   string            `json:"by"`
		More bool              `json:"more"`
		Note string            `json:"note"`
	}
	if err := api.read(ctx, "/find", values, &found); err != nil {
		return err
	}
	if err := o.all(found.Rows, rowColumns...); err != nil {
		return err
	}
	fmt.Fprintf(c.notes, "%d found by %s\n", len(found.Rows), printable(found.By))
	if found.More {
		fmt.Fprintln(c.notes, "there are more")
	}
	if found.Note != "" {
		fmt.Fprintln(c.notes, printable(found.Note))
	}
	if len(found.Rows) == 0 {
		return errNothing
	}
	return nil
}

func paymentCommands(c *call) *cobra.Command {
	return group("payments", "find, understand and change payments",
		c.listCommand(leaf{use: "list", does: "list payments, the latest first",
			example: "payments list --status decline --from 2026-11-23"},
			list{"/payments", "rows", true, rowColumns}),
		c.showCommand(),
		c.followUpCommand("refund", "refund a payment, all of it or a part", true),
		c.followUpCommand("capture", "capture what was authorised, all of it or a part", true),
		c.followUpCommand("void", "void what was authorised", false),
		c.retryCommand(), c.lookUpCommand(), c.settleCommand(), c.waitingCommand(),
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
