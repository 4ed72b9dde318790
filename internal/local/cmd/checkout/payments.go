package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"checkout/internal/app"
)

var paymentCommands = []command{
	{"payments", "show", "PAYMENT_ID", "lists all that happened to a payment, in order, from one consistent read",
		showPayment},
	{"payments", "waiting", "[-after PAGE] [-limit NUMBER]",
		"lists requests to providers whose outcome a person has to decide, those that wait longest first", listWaiting},
	{"payments", "settle",
		"-by NAME -reason TEXT [-amount AMOUNT] PAYMENT_ID approved|declined|give-back|accept|close [REFERENCE]",
		"decides a request at any time, after the provider was looked up; the merchant is told name and reason",
		settlePayment},
	{"payments", "look-up", actArgs + "PAYMENT_ID [REFERENCE]", "has the provider looked up now, and prints what it says",
		lookUpPayment},
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
		fmt.Fprintf(rows, "%s\t%s\torder %s\t%s of %s %s\t%s (%s)\treference %s\tunknown since %s\tlooked up %d times\t%s\n",
			w.PaymentID, w.Owner.Label(), w.OrderNumber, w.Type, cmp.Or(w.Amount, "an unknown amount"), w.Currency, w.MID,
			w.Connector, w.Reference, w.UnknownSince.UTC().Format(time.RFC3339), w.LookUps, w.Why)
	}
	fmt.Fprintf(rows, "%d wait for a person\n", len(found))
	if next != "" {
		fmt.Fprintf(rows, "more with: -after %s\n", next)
	}
	return rows.Flush()
}

func settlePayment(ctx context.Context, c *call) error {
	amount := c.flags.String("amount", "", "the amount that counts, if it is another one than was requested or said")
	wait := waitFlag(c)
	c.actFlags()
	if err := c.parse(2, 3); err != nil {
		return err
	}
	verdict := app.Verdict(c.flags.Arg(1))
	if !slices.Contains(app.Verdicts, verdict) {
		return fmt.Errorf("%q can't be decided: name one of %s", verdict, app.Verdicts)
	}
	service, err := c.changeService(ctx)
	if err != nil {
		return err
	}
	settled := app.Settlement{
		PaymentID: c.flags.Arg(0), Reference: c.flags.Arg(2), Verdict: verdict, Amount: *amount,
		By: service.Act.By, Reason: service.Act.Reason,
	}
	if _, err := service.Settle(ctx, settled); err != nil {
		return err
	}
	return printActs(ctx, c, service, *wait)
}

func lookUpPayment(ctx context.Context, c *call) error {
	wait := waitFlag(c)
	c.actFlags()
	if err := c.parse(1, 2); err != nil {
		return err
	}
	service, err := c.changeService(ctx)
	if err != nil {
		return err
	}
	if _, err := service.LookUp(ctx, c.flags.Arg(0), c.flags.Arg(1)); err != nil {
		return err
	}
	return printActs(ctx, c, service, *wait)
}

// waitFlag is how long a command waits for the connector function: the sweep starts it within a minute.
func waitFlag(c *call) *time.Duration {
	return c.flags.Duration("wait", 2*time.Minute, "how long to wait until it was executed")
}

// printActs waits until what was asked for was executed, and prints what came of it.
func printActs(ctx context.Context, c *call, service *app.Service, wait time.Duration) error {
	all, err := service.AwaitActs(ctx, c.flags.Arg(0), wait)
	if err != nil {
		return err
	}
	latest := all.Acts[len(all.Acts)-1].At
	for _, act := range all.Acts {
		if act.Result == "" || act.At.Equal(latest) {
			fmt.Fprintf(c.out, "%s of %s: %s: %s\n", act.Type, act.Reference, act.Do, cmp.Or(act.Result, "not executed yet"))
		}
	}
	if all.Pending {
		_, err = fmt.Fprintln(c.out, "the connector function does it within a minute or two: see payments show")
		return err
	}
	_, err = fmt.Fprintf(c.out, "the payment is %s\n", all.Status)
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
