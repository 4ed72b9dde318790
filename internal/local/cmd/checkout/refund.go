package main

import (
	"context"

	"github.com/spf13/cobra"
)

// refundFilters choose the payments of a list of refunds. An amount is there what is refunded.
var refundFilters = []string{"merchant", "from", "until", "zone", "status", "method", "mid", "currency", "country",
	"card", "approval-code", "callbacks", "reason-code"}

func (c *call) refundCommand() *cobra.Command {
	var ch *change
	var q *query
	var o *output
	var amount, file string
	var stops, again bool
	cmd := c.command(leaf{
		use:     "refund [PAYMENT_ID]",
		does:    "refund a payment, all of it or a part, or the payments of a file or a filter, which are counted first",
		example: `payments refund --reason "asked for by phone" 3f0c9a52-7d1e-4b6a-9c55-0d7f3a1b2c4d`,
		args:    cobra.MaximumNArgs(1),
		run: func(ctx context.Context, args []string) error {
			chosen := q.values()
			chosen.Del("amount")                             // which is no filter here
			one, filtered := len(args) == 1, len(chosen) > 1 // by more than the mode
			ch.live = q.live
			switch {
			case one && (file != "" || filtered), !one && (file != "") == filtered:
				return misusef("name either a PAYMENT_ID, or --file, or filters that choose payments")
			case again && file == "":
				return misusef("--again is of a file")
			case !one && (amount != "" || stops):
				return misusef("--amount and --stop-schedule are of one payment")
			case !one:
				return c.refundMany(ctx, o, refundChoice{ch, file, chosen, again})
			}
			return c.act(ctx, o, act{
				change: ch, name: "refund", paymentID: args[0], body: map[string]string{"amount": amount}, asks: true,
				stopsSchedule: stops,
			})
		},
	})
	ch, o, q = c.changes(cmd), c.output(cmd), filtered(cmd, refundFilters...)
	cmd.Flags().StringVar(&amount, "amount", "", amountMeans)
	cmd.Flags().BoolVar(&stops, "stop-schedule", false, "stop the schedule of its recurring chain, too")
	cmd.Flags().StringVar(&file, "file", "", "`FILE` of payments: CSV or JSON lines with payment_id, and amount and "+
		"reason where they are wanted; or one of checkout export")
	cmd.Flags().BoolVar(&again, "again", false, "with --file: refund its amounts also where something was refunded before")
	return cmd
}
