package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"checkout/internal/app"
)

var circuitCommands = []command{
	{"circuits", "list", "[MERCHANT_ID]", "lists open circuit breakers of MIDs: those of all merchants, or of one",
		listCircuits},
	{"circuits", "close", actArgs + "[-test] MERCHANT_ID MAPPING MID",
		"closes the circuit breaker of a MID, so that payments are sent there again", closeCircuit},
}

// listCircuits prints a line for each MID whose circuit breaker is open or half-open.
func listCircuits(ctx context.Context, c *call) error {
	if err := c.parse(0, 1); err != nil {
		return err
	}
	service, err := app.OpenService(ctx, c.env)
	if err != nil {
		return err
	}
	ids := c.flags.Args()
	if len(ids) == 0 {
		merchants, err := app.OpenMerchants(ctx, c.env)
		if err != nil {
			return err
		}
		all, err := merchants.List(ctx)
		if err != nil {
			return err
		}
		for _, m := range all {
			ids = append(ids, m.ID)
		}
	}
	var owners []app.Owner
	for _, id := range ids {
		owners = append(owners, app.Owner{Merchant: id}, app.Owner{Merchant: id, Test: true})
	}
	found, err := service.OpenCircuits(ctx, owners...)
	if err != nil {
		return err
	}
	rows := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, b := range found {
		mode, merchant, _ := strings.Cut(b.Owner, "/")
		fmt.Fprintf(rows, "%s\t%s\t%s\t%s\t%s\t%s\t%s\tsince %s\tuntil %s\n", merchant, mode, b.Mapping, b.Name,
			b.Connector, b.State, b.Reason, b.Since.Format(time.RFC3339), b.Until.Format(time.RFC3339))
	}
	fmt.Fprintf(rows, "%d not closed\n", len(found))
	return rows.Flush()
}

func closeCircuit(ctx context.Context, c *call) error {
	test := c.flags.Bool("test", false, "the circuit breaker of the test key")
	c.actFlags()
	if err := c.parse(3); err != nil {
		return err
	}
	service, err := c.changeService(ctx)
	if err != nil {
		return err
	}
	owner := app.Owner{Merchant: c.flags.Arg(0), Test: *test}
	closed, err := service.CloseCircuit(ctx, owner, c.flags.Arg(1), c.flags.Arg(2))
	if err == nil && !closed {
		err = errors.New("it has no open circuit breaker")
	}
	if err == nil {
		fmt.Fprintln(c.out, "closed; functions know it within 10 seconds")
	}
	return err
}
