package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"checkout/internal/app"
)

func (c *call) newMerchantCommand() *cobra.Command {
	var ch *change
	var o *output
	var shop app.NewShop
	var tries bool
	cmd := c.command(leaf{
		use: "new ID", does: "add a merchant and print its new keys and secrets; without --for it asks what sends its orders",
		example: `merchants new --for plugin --name "The Pen Shop" --url https://shop.example/callback --reason new pens`,
		args:    cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			shop.ID = args[0]
			if err := c.newMerchant(ctx, ch, o, &shop); err != nil {
				return err
			}
			return c.offerCallbacks(ctx, o, shop, tries)
		},
	})
	ch, o = c.changesSettings(cmd)
	cmd.Flags().StringVar(&shop.For, "for", "",
		"what sends its orders: plugin, erp or own, as the question says")
	cmd.Flags().StringVar(&shop.Name, "name", "", "the merchant's name, which payers see; without it its id")
	cmd.Flags().StringVar(&shop.URL, "url", "", "its notification_url, for the live and the test key")
	cmd.Flags().BoolVar(&tries, "try-callback", false,
		"send a signed test callback to --url, as JSON and as a form, and say what came back")
	choices(cmd, "for", "plugin", "erp", "own")
	return cmd
}

// whoIntegrates asks for what the owner of a shop can see.
const whoIntegrates = `What sends its orders?
  plugin  A plugin, app or add-on that was installed in a shop system: its settings have fields for key and password.
  erp     A module of an ERP, accounting or billing system, in Python or Java, which sends invoices with a link to pay.
  own     A program that the merchant's developers write by the documentation.
[plugin/erp/own] `

// newMerchant adds a merchant that has no MID yet, and prints its keys and secrets.
func (c *call) newMerchant(ctx context.Context, ch *change, o *output, shop *app.NewShop) error {
	if shop.For == "" {
		fmt.Fprint(c.notes, whoIntegrates)
		if _, err := fmt.Fscanln(c.in, &shop.For); err != nil {
			return misusef("no choice: reply plugin, erp or own, or set --for")
		}
	}
	body := map[string]any{"id": shop.ID, "for": shop.For}
	for member, value := range map[string]string{"name": shop.Name, "url": shop.URL} {
		if value != "" {
			body[member] = value
		}
	}
	var made newKeys
	if err := c.ask(ctx, ch, "/merchants", settingOf{body: body, to: &made}); err != nil {
		return err
	}
	shop.Password, shop.CallbackSecret = made.Password, made.CallbackSecret
	if !o.people() {
		return o.lineOf(made)
	}
	if err := made.print(c.out); err != nil {
		return err
	}
	_, err := fmt.Fprintln(c.out, "Next, give it a MID: merchants put FILE. Until then every session is refused, "+
		"also with the test key.")
	return err
}
