package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// chainCommands are about recurring chains, each by the id of its initial payment.
func chainCommands(c *call) *cobra.Command {
	return group("chains", "see recurring chains, and stop, resume or change their schedules",
		c.listCommand(leaf{use: "list", does: "list chains whose schedule charges again, the next to be charged first",
			example: "chains list --live"},
			list{"/chains", "chains", false, []string{"next_at", "merchant", "mode", "id", "order", "amount", "currency",
				"interval", "charges_made", "mid"}}, "merchant"),
		c.showChainCommand(),
		c.chainActCommand(chainAct{name: "stop", does: "stop the schedule: it charges nothing more until it is resumed",
			asked: "Stop the schedule"}),
		c.chainActCommand(chainAct{name: "resume", asked: "Resume the schedule",
			does: "let a stopped schedule charge again, from its first date in the future"}),
		c.chainActCommand(chainAct{name: "move", argument: "day", sample: "2026-12-01", asked: "Move the next charge to",
			does: "move the next charge to another day; later ones follow by the interval from there"}),
		c.chainActCommand(chainAct{name: "lower", argument: "amount", sample: "9.50", asked: "Lower each charge to",
			does: "lower the amount of each charge; it can't be raised"}))
}

// chainOf is a chain as it is shown to people.
type chainOf struct {
	ID       string                        `json:"id"`
	Merchant string                        `json:"merchant"`
	Mode     string                        `json:"mode"`
	Order    string                        `json:"order"`
	State    string                        `json:"state"`
	Means    string                        `json:"means"`
	Terms    []struct{ Name, Text string } `json:"terms"`
	Next     []string                      `json:"next"`
	Charges  []json.RawMessage             `json:"charges"`
	More     bool                          `json:"more"`
	Events   []struct{ At, Text, Reason string }
	Possible []possible `json:"possible"`
}

func (a *client) chainOf(ctx context.Context, id string) (v chainOf, whole json.RawMessage, err error) {
	if whole, _, err = a.get(ctx, "/chains/"+url.PathEscape(id), nil); err == nil {
		err = decode(whole, &v)
	}
	return v, whole, err
}

func (c *call) showChainCommand() *cobra.Command {
	var o *output
	cmd := c.command(leaf{
		use: "show PAYMENT_ID", does: "tell the terms of a chain, all its charges, and who has changed its schedule",
		example: "chains show 3f0c9a52-7d1e-4b6a-9c55-0d7f3a1b2c4d", args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			api, err := c.api(ctx)
			if err != nil {
				return err
			}
			v, whole, err := api.chainOf(ctx, args[0])
			if err != nil {
				return err
			}
			if !o.people() {
				return o.line(whole)
			}
			return v.print(c)
		},
	})
	c.address(cmd)
	o = c.output(cmd)
	return cmd
}

// print prints the chain for people.
func (v *chainOf) print(c *call) error {
	rows := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	row := func(name, text string) {
		fmt.Fprintf(rows, "%s\t%s\n", printable(name), printable(text))
	}
	row("chain", v.ID)
	row("state", v.State+": "+v.Means)
	for _, term := range v.Terms {
		row(term.Name, term.Text)
	}
	for _, date := range v.Next {
		row("next", shown(date))
	}
	fmt.Fprintln(rows)
	for _, event := range v.Events {
		row(shown(event.At), event.Text+" "+event.Reason)
	}
	fmt.Fprintln(rows)
	for _, act := range v.Possible {
		can := "possible"
		if !act.Allowed {
			can = "not now: " + act.Why
		}
		row(act.Label, can)
	}
	if err := rows.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(c.out)
	if v.More {
		defer fmt.Fprintln(c.notes, "there are older charges")
	}
	return table(c.out, v.Charges, "at", "payment_id", "order", "amount", "currency", "status", "reason_code")
}

// chainAct is an act on the schedule of a chain.
type chainAct struct {
	name, does, asked string
	argument, sample  string // the member of the body that is typed behind the chain; "": none
}

func (c *call) chainActCommand(a chainAct) *cobra.Command {
	var ch *change
	var o *output
	use, count, sample := a.name+" PAYMENT_ID", 1, ""
	if a.argument != "" {
		use, count, sample = use+" "+map[string]string{"day": "DAY", "amount": "AMOUNT"}[a.argument], 2, " "+a.sample
	}
	cmd := c.command(leaf{
		use: use, does: a.does, args: cobra.ExactArgs(count),
		example: `chains ` + a.name + ` --reason "asked for by phone" 3f0c9a52-7d1e-4b6a-9c55-0d7f3a1b2c4d` + sample,
		run: func(ctx context.Context, args []string) error {
			return c.actOnChain(ctx, o, ch, chainCall{a, args[0], optional(args, 1)})
		},
	})
	ch, o = c.changes(cmd), c.output(cmd)
	live(cmd, &ch.live)
	return cmd
}

// chainCall is an act on a chain with its argument.
type chainCall struct {
	chainAct
	id, value string
}

// actOnChain asks back, and has an act done on a chain.
func (c *call) actOnChain(ctx context.Context, o *output, ch *change, a chainCall) error {
	api, err := c.api(ctx)
	if err != nil {
		return err
	}
	v, _, err := api.chainOf(ctx, a.id)
	if err != nil {
		return err
	}
	name := printable(fmt.Sprintf("%s of %s (%s, chain %s)", v.Order, v.Merchant, v.Mode, v.ID))
	if v.Mode == "live" && !ch.live {
		return misusef("%s is live: say --live", name)
	}
	asked := a.asked
	body := map[string]any{"reason": ch.reason}
	if a.argument != "" {
		asked += " " + printable(a.value)
		body[a.argument] = a.value
	}
	if err := c.confirm(ch.yes, "%s: %s", name, asked); err != nil {
		return err
	}
	ch.begin()
	var done json.RawMessage
	if err := api.change(ctx, post{"/chains/" + url.PathEscape(a.id) + "/" + a.name, ch.key, body}, &done); err != nil {
		return err
	}
	if !o.people() {
		return o.line(done)
	}
	_, err = fmt.Fprintln(c.out, printable(text(member(done, "text"))))
	return err
}
