package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"checkout/internal/app"
)

var auditCommands = []command{
	{"audit", "list", "[-since TIME]", "lists who has changed what by these commands, and why; without a time, of 30 days",
		listAudit},
	{"audit", "compare", copyArgs, "compares these changes with their copies and says what differs; without a time, all",
		compareAudit},
	{"audit", "copy", copyArgs, "copies those of these changes that have no copy; without a time, of all", copyAudit},
}

// copyArgs are the flags of a command about copies of changes.
const copyArgs = "-bucket NAME [-since TIME]"

// actArgs are the flags of a command that changes something.
const actArgs = "[-by NAME] [-reason TEXT] "

// actFlags adds the flags of a command that changes something.
func (c *call) actFlags() {
	c.by = c.flags.String("by", "", "who asks for it, if that is not clear from the AWS credentials")
	c.reason = c.flags.String("reason", "", "why")
}

// act returns the act of the caller, by the flags that were read.
func (c *call) act(ctx context.Context) (app.Act, error) {
	return app.CompleteAct(ctx, app.Act{
		By: strings.TrimSpace(*c.by), Reason: strings.TrimSpace(*c.reason), Command: c.command.group + " " + c.command.name,
	})
}

// changeMerchants reads the flags and opens the merchants of the table for changes of the caller.
func (c *call) changeMerchants(ctx context.Context, args int) (*app.Merchants, error) {
	c.actFlags()
	merchants, err := c.openMerchants(ctx, args)
	if err == nil {
		merchants.Act, err = c.act(ctx)
	}
	return merchants, err
}

// changeService opens the service for changes of the caller, after the flags were read.
func (c *call) changeService(ctx context.Context) (*app.Service, error) {
	service, err := app.OpenService(ctx, c.env)
	if err == nil {
		service.Act, err = c.act(ctx)
	}
	return service, err
}

// listAudit prints a line for each change, and one below it for each thing that is other than before.
func listAudit(ctx context.Context, c *call) error {
	from, err := c.since(time.Now().AddDate(0, 0, -30))
	if err != nil {
		return err
	}
	entries, err := app.ListAudit(ctx, c.env, from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		who := e.Who
		if e.By != "" {
			who += " (" + e.By + ")"
		}
		fmt.Fprintf(c.out, "%s  %s  %s  %s  %s\n", e.At.Format(time.RFC3339), who, e.Command, e.What,
			cmp.Or(e.Reason, "no reason given"))
		for _, change := range e.Changes {
			fmt.Fprintf(c.out, "  %s\n", change)
		}
	}
	_, err = fmt.Fprintf(c.out, "%d changes\n", len(entries))
	return err
}

// since reads the flags, which the time of the first change is one of.
func (c *call) since(otherwise time.Time) (time.Time, error) {
	since := c.flags.String("since", "", "time of the first change, such as 2026-11-21T15:04:05Z (RFC 3339)")
	if err := c.parse(0); err != nil || *since == "" {
		return otherwise, err
	}
	from, err := time.Parse(time.RFC3339, *since)
	if err != nil {
		return from, fmt.Errorf("-since: %w", err)
	}
	return from, nil
}

// copies reads the flags of a command about copies, and returns the environment with the name of their bucket.
func (c *call) copies() (env app.Env, since time.Time, err error) {
	bucket := c.flags.String("bucket", c.getenv("AUDIT_BUCKET"), "name of the bucket with the copies")
	since, err = c.since(time.Time{})
	return func(variable string) string {
		if variable == "AUDIT_BUCKET" {
			return *bucket
		}
		return c.env(variable)
	}, since, err
}

// compareAudit prints a line for every fault, and fails if there is any.
func compareAudit(ctx context.Context, c *call) error {
	env, since, err := c.copies()
	if err != nil {
		return err
	}
	faults, err := app.CompareAudit(ctx, env, since)
	for _, fault := range faults {
		fmt.Fprintln(c.out, fault)
	}
	if err == nil && len(faults) > 0 {
		err = fmt.Errorf("%d faults", len(faults))
	}
	if err == nil {
		_, err = fmt.Fprintln(c.out, "all changes are as their copies")
	}
	return err
}

func copyAudit(ctx context.Context, c *call) error {
	env, since, err := c.copies()
	if err != nil {
		return err
	}
	copied, err := app.CopyAudit(ctx, env, since)
	fmt.Fprintf(c.out, "%d changes copied\n", copied)
	return err
}
