package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"checkout/internal/app"
)

// act is an act on a payment, as it is typed.
type act struct {
	*change
	name, paymentID string
	body            map[string]string // beside the reason
	asks            bool              // it moves money, or decides where it is
	asked           string            // in words; "" for those of a follow-up
	stopsSchedule   bool              // of a refund: the schedule of the payment's chain is stopped, too
}

// followUpCommand makes a command that moves money.
func (c *call) followUpCommand(name, does string, partial bool) *cobra.Command {
	var ch *change
	var o *output
	var amount string
	cmd := c.command(leaf{
		use: name + " PAYMENT_ID", does: does, args: cobra.ExactArgs(1),
		example: `payments ` + name + ` --reason "asked for by phone" 3f0c9a52-7d1e-4b6a-9c55-0d7f3a1b2c4d`,
		run: func(ctx context.Context, args []string) error {
			return c.act(ctx, o, act{
				change: ch, name: name, paymentID: args[0], body: map[string]string{"amount": amount}, asks: true,
			})
		},
	})
	ch, o = c.changes(cmd), c.output(cmd)
	live(cmd, &ch.live)
	if partial {
		cmd.Flags().StringVar(&amount, "amount", "", amountMeans)
	}
	return cmd
}

const amountMeans = "a part of it; without it all that is left"

// schedule says what becomes of the schedule that charges the payer again, where a refund is to be confirmed.
func (v *view) schedule(a act) string {
	switch {
	case a.name != "refund" || v.Chain.State != "running":
		return ""
	case a.stopsSchedule:
		return ", and stop the schedule"
	}
	return fmt.Sprintf("; the schedule charges %s %s next on %s (--stop-schedule stops it, too)",
		printable(v.Chain.Amount), printable(v.Chain.Currency), shown(v.Chain.NextAt))
}

func (c *call) retryCommand() *cobra.Command {
	var ch *change
	var o *output
	cmd := c.command(leaf{
		use: "retry PAYMENT_ID", does: "charge again for a declined later payment of a recurring chain, once",
		example: `payments retry --reason "the payer has money now" 3f0c9a52-7d1e-4b6a-9c55-0d7f3a1b2c4d`,
		args:    cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			return c.act(ctx, o, act{change: ch, name: "retry", paymentID: args[0], asks: true})
		},
	})
	ch, o = c.changes(cmd), c.output(cmd)
	live(cmd, &ch.live)
	return cmd
}

func (c *call) lookUpCommand() *cobra.Command {
	var ch *change
	var o *output
	cmd := c.command(leaf{
		use: "look-up PAYMENT_ID [REFERENCE]", does: "have the provider looked up now; that charges nothing",
		example: `payments look-up --reason "the payer waits" 3f0c9a52-7d1e-4b6a-9c55-0d7f3a1b2c4d`,
		args:    cobra.RangeArgs(1, 2),
		run: func(ctx context.Context, args []string) error {
			return c.act(ctx, o, act{
				change: ch, name: "look-up", paymentID: args[0], body: map[string]string{"reference": optional(args, 1)},
			})
		},
	})
	ch, o = c.changes(cmd), c.output(cmd)
	live(cmd, &ch.live)
	return cmd
}

func (c *call) settleCommand() *cobra.Command {
	var verdicts []string
	for _, verdict := range app.Verdicts {
		verdicts = append(verdicts, string(verdict))
	}
	var ch *change
	var o *output
	var amount, transfer string
	cmd := c.command(leaf{
		use:     "settle PAYMENT_ID " + strings.Join(verdicts, "|") + " [REFERENCE]",
		does:    "decide a request, after the provider was looked up; the merchant is told who and why",
		example: `payments settle --reason "seen at the bank" 3f0c9a52-7d1e-4b6a-9c55-0d7f3a1b2c4d approved`,
		args:    cobra.RangeArgs(2, 3),
		run: func(ctx context.Context, args []string) error {
			if !slices.Contains(verdicts, args[1]) {
				return misusef("%q is none of %s", args[1], strings.Join(verdicts, ", "))
			}
			return c.act(ctx, o, act{
				change: ch, name: "settle", paymentID: args[0], asks: true, asked: "Settle as " + args[1],
				body: map[string]string{"verdict": args[1], "reference": optional(args, 2), "amount": amount,
					"transfer": transfer},
			})
		},
	})
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 1 {
			return verdicts, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ch, o = c.changes(cmd), c.output(cmd)
	live(cmd, &ch.live)
	cmd.Flags().StringVar(&amount, "amount", "", "the amount that counts, if another one than was requested has moved, "+
		"or that was returned")
	cmd.Flags().StringVar(&transfer, "transfer", "", "of what was returned by hand: the reference of that payment")
	return cmd
}

func (c *call) endCheckoutCommand() *cobra.Command {
	var ch *change
	var o *output
	cmd := c.command(leaf{
		use:  "end-session PAYMENT_ID",
		does: "end the checkout session of a payment, if no attempt to pay is in progress", args: cobra.ExactArgs(1),
		example: `payments end-session --reason "sold out" 3f0c9a52-7d1e-4b6a-9c55-0d7f3a1b2c4d`,
		run: func(ctx context.Context, args []string) error {
			return c.act(ctx, o, act{
				change: ch, name: "end-session", paymentID: args[0], asks: true, asked: "End the session",
			})
		},
	})
	ch, o = c.changes(cmd), c.output(cmd)
	live(cmd, &ch.live)
	return cmd
}

func (c *call) noteCommand() *cobra.Command {
	ch := &change{}
	cmd := c.command(leaf{
		use: "note PAYMENT_ID TEXT", does: "write a note about a payment, which stays", args: cobra.ExactArgs(2),
		example: `payments note 3f0c9a52-7d1e-4b6a-9c55-0d7f3a1b2c4d "The payer will call again."`,
		run: func(ctx context.Context, args []string) error {
			api, _, err := c.toChange(ctx, ch.live, args[0])
			if err != nil {
				return err
			}
			ch.begin()
			path := "/payments/" + url.PathEscape(args[0]) + "/note"
			var noted json.RawMessage
			return api.change(ctx, post{path, ch.key, map[string]string{"text": args[1]}}, &noted)
		},
	})
	c.address(cmd)
	cmd.Flags().StringVar(&ch.key, "idempotency-key", "", "`KEY` of a call to repeat")
	live(cmd, &ch.live)
	return cmd
}

// optional returns an argument that may be left out.
func optional(args []string, i int) string {
	if i < len(args) {
		return args[i]
	}
	return ""
}

// act shows what an act will do, asks back if it has to, and has it done.
func (c *call) act(ctx context.Context, o *output, a act) error {
	api, v, err := c.toChange(ctx, a.live, a.paymentID)
	if err != nil {
		return err
	}
	can, err := v.allows(a.name) // a repeat may itself be the reason why it is not possible any more
	if repeats := a.begin(); err != nil && !repeats {
		return err
	}
	if a.asks {
		asked := a.asked
		if asked == "" {
			amount := cmp.Or(a.body["amount"], can.Amount)
			asked = strings.TrimSpace(cmp.Or(printable(can.Label), a.name) + " " + amount + " " + v.Row.Currency)
		}
		asked += v.schedule(a)
		if err := c.confirm(a.yes, "%s: %s", v.name(), asked); err != nil {
			return err
		}
	}
	body := map[string]any{"reason": a.reason}
	for name, value := range a.body {
		if value != "" {
			body[name] = value
		}
	}
	if a.stopsSchedule {
		body["stop_schedule"] = true
	}
	var done json.RawMessage
	path := "/payments/" + url.PathEscape(a.paymentID) + "/" + a.name
	if err := api.change(ctx, post{path, a.key, body}, &done); err != nil {
		return err
	}
	return c.printDone(o, done)
}

// printDone prints what became of an act on a payment.
func (c *call) printDone(o *output, done json.RawMessage) error {
	if !o.people() {
		return o.line(done)
	}
	var d struct {
		PaymentID string `json:"payment_id"`
		Status    string `json:"status"`
		Text      string `json:"text"`
		Decided   bool   `json:"decided"`
	}
	if err := decode(done, &d); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s\n", printable(d.Text))
	if !d.Decided {
		_, err := fmt.Fprintf(c.out, "not decided yet: see checkout payments show %s\n", printable(d.PaymentID))
		return err
	}
	_, err := fmt.Fprintf(c.out, "the payment is %s\n", printable(d.Status))
	return err
}
