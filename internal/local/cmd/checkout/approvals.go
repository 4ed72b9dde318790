package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

// approvalColumns are what is shown of an act that another person has to approve.
var approvalColumns = []string{
	"id", "state", "do", "amount", "currency", "order", "merchant", "by", "reason", "until", "decided_by",
}

func approvalCommands(c *call) *cobra.Command {
	return group("approvals", "see and decide what people may not return alone",
		c.plainListCommand(leaf{use: "list", does: "list what waits for another person", example: "approvals list"},
			list{"/approvals", "approvals", false, approvalColumns}),
		c.decideCommand("approve", "do what another person asks for", "it was seen with the shop"),
		c.decideCommand("reject", "end what a person asks for, without doing it", "the payer has it already"))
}

func (c *call) decideCommand(what, does, reason string) *cobra.Command {
	var ch *change
	cmd := c.command(leaf{
		use: what + " ID", does: does, example: fmt.Sprintf(`approvals %s --reason %q ID`, what, reason),
		args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			var done struct {
				Text string `json:"text"`
			}
			err := c.ask(ctx, ch, "/approvals/"+args[0]+"/"+what, settingOf{
				asked: what + " " + printable(args[0]), body: map[string]any{}, to: &done,
			})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(c.out, printable(done.Text))
			return err
		},
	})
	ch = c.changes(cmd)
	return cmd
}
