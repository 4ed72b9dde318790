package main

import (
	"cmp"
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"checkout/internal/app"
)

var paymentCommands = []command{
	{"payments", "show", "PAYMENT_ID", "lists all that happened to a payment, in order, from one consistent read",
		showPayment},
	{"payments", "waiting", "[-after PAGE] [-limit NUMBER]",
		"lists requests to providers whose outcome a person has to decide, those that wait longest first", listWaiting},
	{"payments", "settle", "-by NAME -reason TEXT PAYMENT_ID approved|declined [REFERENCE]",
		"settles such a request as the provider did; name and reason are told to the merchant", settlePayment},
}

func listWaiting(ctx context.Context, c *call) error {
	after := c.flags.String("after", "", "the page that ended there, as it was printed")
	limit := c.flags.Int("limit", 100, "how many payments at most")
	if err := c.parse(0); err != nil {
		return err
	}
	service, err := app.OpenService(ctx, c.env)
	if err != nil {
		return err
	}
	found, next, err := service.WaitingForPerson(ctx, *after, *limit)
	if err != nil {
		return err
	}
	rows := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, w := range found {
		fmt.Fprintf(rows, "%s\t%s\torder %s\t%s of %s %s\t%s (%s)\treference %s\tunknown since %s\tlooked up %d times\n",
			w.PaymentID, w.Owner.Label(), w.OrderNumber, w.Type, cmp.Or(w.Amount, "an unknown amount"), w.Currency, w.MID,
			w.Connector, w.Reference, w.UnknownSince.UTC().Format(time.RFC3339), w.LookUps)
	}
	fmt.Fprintf(rows, "%d wait for a person\n", len(found))
	if next != "" {
		fmt.Fprintf(rows, "more with: -after %s\n", next)
	}
	return rows.Flush()
}

func settlePayment(ctx context.Context, c *call) error {
	by := c.flags.String("by", "", "who decides")
	reason := c.flags.String("reason", "", "how they know")
	if err := c.parse(2, 3); err != nil {
		return err
	}
	outcome := c.flags.Arg(1)
	if outcome != "approved" && outcome != "declined" {
		return fmt.Errorf("%q is no outcome: name approved or declined", outcome)
	}
	service, err := app.OpenService(ctx, c.env)
	if err != nil {
		return err
	}
	settled := app.Settlement{
		PaymentID: c.flags.Arg(0), Reference: c.flags.Arg(2), Approved: outcome == "approved", By: *by, Reason: *reason,
	}
	if err := service.Settle(ctx, settled); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "it is settled as %s within a minute, by the connector function\n", outcome)
	return err
}

func showPayment(ctx context.Context, c *call) error {
	if err := c.parse(1); err != nil {
		return err
	}
	service, err := app.OpenService(ctx, c.env)
	if err != nil {
		return err
	}
	history, err := app.PaymentHistory(ctx, service, c.flags.Arg(0))
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(c.out, history)
	return err
}
