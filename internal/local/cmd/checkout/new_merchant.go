package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

// newMerchant is a merchant to be added.
type newMerchant struct {
	ID     string `json:"id"`
	Name   string `json:"name,omitempty"`
	URL    string `json:"url,omitempty"`
	For    string `json:"for"`
	Reason string `json:"reason"`
}

func (c *call) newMerchantCommand() *cobra.Command {
	var ch *change
	var o *output
	var n newMerchant
	cmd := c.command(leaf{
		use: "new ID", does: "add a merchant with new keys and secrets, and print them; without --for it asks who integrates",
		example: `merchants new --for plugin --name "The Pen Shop" --url https://shop.example/callback --reason new pens`,
		args:    cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			n.ID, n.Reason = args[0], ch.reason
			return c.newMerchant(ctx, ch, o, n)
		},
	})
	ch, o = c.changesSettings(cmd)
	cmd.Flags().StringVar(&n.For, "for", "",
		"who integrates: plugin, a plugin of the protocol, or own, a program of its own")
	cmd.Flags().StringVar(&n.Name, "name", "", "the merchant's name, which payers see; without it its id")
	cmd.Flags().StringVar(&n.URL, "url", "", "its notification_url, for the live and the test key")
	choices(cmd, "for", "plugin", "own")
	return cmd
}

// newMerchant adds a merchant that has no MID yet, and prints its keys and secrets.
func (c *call) newMerchant(ctx context.Context, ch *change, o *output, n newMerchant) error {
	api, err := c.api(ctx)
	if err != nil {
		return err
	}
	if n.For == "" {
		fmt.Fprint(c.notes, "Does it use a plugin of the protocol, or an integration of its own? [plugin/own] ")
		if _, err := fmt.Fscanln(c.in, &n.For); err != nil {
			return misusef("no choice: reply plugin or own, or set --for")
		}
	}
	ch.begin()
	var made newKeys
	if err := api.change(ctx, post{"/merchants", ch.key, n}, &made); err != nil {
		return err
	}
	if !o.people() {
		return o.lineOf(made)
	}
	if err := c.printKeys(made); err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.out, "Next, give it a MID: merchants put FILE.")
	return err
}
