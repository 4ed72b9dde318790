package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
)

// blockKinds are what can be blocked.
var blockKinds = []string{"card", "email", "ip"}

func blockCommands(c *call) *cobra.Command {
	return group("blocks", "see and change whose payments are declined: cards, e-mail addresses, IP addresses",
		c.plainListCommand(leaf{use: "list", does: "list what is blocked, the latest first", example: "blocks list --live"},
			list{"/blocks", "blocks", false, []string{"at", "merchant", "mode", "kind", "value", "until", "reason", "by",
				"payment_id", "id"}}, "merchant"),
		c.blockCommand(), c.unblockCommand())
}

// ofMerchant is whose block list a command changes: that of a merchant, or with "all" of all merchants.
func ofMerchant(id string, live bool) map[string]any {
	return map[string]any{"merchant": merchantsOf(id)[0], "mode": mode(live)}
}

func (c *call) blockCommand() *cobra.Command {
	var ch *change
	var until, payment string
	cmd := c.command(leaf{
		use:     "add MERCHANT_ID KIND [VALUE]",
		does:    "decline what a card, an e-mail address or an IP address pays, at a merchant or at all",
		example: `blocks add --live --until 2027-02-28 --reason "chargebacks" pens email joe@pens.example`,
		args:    cobra.RangeArgs(2, 3),
		run: func(ctx context.Context, args []string) error {
			body := ofMerchant(args[0], ch.live)
			body["kind"], body["until"] = args[1], until
			what := args[1] + " of " + payment
			switch {
			case args[1] == "card" && len(args) == 3: // its number is not to be printed or sent
				return misusef("name a payment that was made with the card (--payment)")
			case (len(args) == 3) == (payment != ""):
				return misusef("name either a value or a payment that has it (--payment)")
			case payment != "":
				body["payment_id"] = payment
			default:
				body["value"], what = args[2], args[2]
			}
			var done struct{ Value, Until string }
			err := c.ask(ctx, ch, "/blocks/add", settingOf{
				asked: fmt.Sprintf("Decline payments of %s at %s (%s) until %s", printable(what), args[0], mode(ch.live), until),
				body:  body, to: &done,
			})
			if err == nil {
				fmt.Fprintf(c.out, "%s is blocked until %s, from within a minute on\n", printable(done.Value), done.Until)
			}
			return err
		},
	})
	ch = c.changes(cmd)
	cmd.Flags().StringVar(&until, "until", "", "last `DAY` in UTC, or a time")
	cmd.Flags().StringVar(&payment, "payment", "", "the `ID` of a payment whose card, e-mail or IP address it is")
	live(cmd, &ch.live)
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 1 {
			return slices.Clone(blockKinds), cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if err := cmd.MarkFlagRequired("until"); err != nil {
		panic(err) // the flag is not there
	}
	return cmd
}

func (c *call) unblockCommand() *cobra.Command {
	var ch *change
	cmd := c.command(leaf{
		use: "remove MERCHANT_ID ID", does: "take an entry off a block list", args: cobra.ExactArgs(2),
		example: `blocks remove --live --reason "it was another payer" pens 3f0c9a52-7d1e-4b6a-9c55-0d7f3a1b2c4d`,
		run: func(ctx context.Context, args []string) error {
			body := ofMerchant(args[0], ch.live)
			body["id"] = args[1]
			var done struct{ Value string }
			err := c.ask(ctx, ch, "/blocks/remove", settingOf{
				asked: fmt.Sprintf("Take payments again of entry %s at %s (%s)", printable(args[1]), args[0], mode(ch.live)),
				body:  body, to: &done,
			})
			if err == nil {
				fmt.Fprintf(c.out, "%s is not blocked any more, within a minute\n", printable(done.Value))
			}
			return err
		},
	})
	ch = c.changes(cmd)
	live(cmd, &ch.live)
	return cmd
}
