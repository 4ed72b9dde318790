package main

import (
	"context"
	"fmt"
	"net/url"
	"text/tabwriter"

	"checkout/internal/app"
)

// offerCallbacks asks whether to send test callbacks to the address of a new merchant, unless a flag says so.
func (c *call) offerCallbacks(ctx context.Context, o *output, shop app.NewShop, tries bool) error {
	if shop.URL == "" || !tries && !(c.asks && o.people()) {
		return nil
	}
	if shop.Password == "" {
		fmt.Fprintln(c.notes, "No test callback was sent: its secrets were shown before, and are not known here.")
		return nil
	}
	if !tries && !c.agrees("Send a test callback to "+printable(shop.URL)+", as JSON and as a form") {
		return nil
	}
	tried, err := app.TryCallbacks(ctx, shop, c.isHere(ctx))
	if err != nil {
		return err
	}
	if !o.people() {
		return o.lineOf(tried)
	}
	fmt.Fprintf(c.out, "Test callbacks of the order %s, a decline of 1.00 EUR, sent from this machine:\n", tried.Order)
	rows := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, one := range tried.Tried {
		came, counts := fmt.Sprintf("status %d", one.Status), "not delivered"
		if one.Error != "" {
			came = printable(one.Error)
		}
		if one.Delivered {
			counts = "delivered"
		}
		fmt.Fprintf(rows, "  %s\t%s\t%s\t%d ms\n", one.Format, counts, came, one.Millis)
	}
	if err := rows.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.out, tried.Hint)
	return err
}

// isHere reports whether the service runs on this machine, where shops may be, too.
func (c *call) isHere(ctx context.Context) bool {
	if c.isLocalRun() {
		return true
	}
	api, err := c.api(ctx)
	if err != nil {
		return false
	}
	at, err := url.Parse(api.base)
	return err == nil && isHere(at)
}
