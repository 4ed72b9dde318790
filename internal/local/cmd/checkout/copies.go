package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"checkout/internal/app"
)

func (c *call) compareAuditCommand() *cobra.Command {
	return c.copiesCommand(leaf{use: "compare", example: "audit compare",
		does: "compare the audit log in the table with its locked copies, and say what differs"}, c.compareAudit)
}

func (c *call) copyAuditCommand() *cobra.Command {
	return c.copiesCommand(leaf{use: "copy", example: "audit copy --from 2026-11-21",
		does: "copy what of the audit log has no copy"}, c.copyAudit)
}

// copiesCommand makes a command on copies of the audit log, of all times or from one on.
func (c *call) copiesCommand(of leaf, do func(context.Context, app.Env, time.Time) error) *cobra.Command {
	var from string
	of.run = func(ctx context.Context, _ []string) error {
		since, err := parseTime(from)
		if err != nil {
			return err
		}
		env, err := c.tableEnv("AUDIT_BUCKET")
		if err != nil {
			return err
		}
		if env("AUDIT_BUCKET") == "" {
			return misusef("no bucket: name a stack with checkout use STACK, or set --bucket or AUDIT_BUCKET")
		}
		return do(ctx, env, since)
	}
	cmd := c.command(of)
	c.tableFlag(cmd)
	c.setting(cmd, "bucket", "AUDIT_BUCKET", "`NAME` of the bucket with the copies")
	cmd.Flags().StringVar(&from, "from", "", "first `DAY` or time, such as 2026-11-23")
	return cmd
}

// parseTime reads a day, in UTC, or a time; "" is the beginning of all.
func parseTime(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if at, err := time.Parse(time.DateOnly, text); err == nil {
		return at, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, misusef("--from: %q is no day such as 2026-11-23, and no time such as 2026-11-23T15:04:05Z", text)
	}
	return at, nil
}

// compareAudit prints a line for every fault, and fails if there is any.
func (c *call) compareAudit(ctx context.Context, env app.Env, since time.Time) error {
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

func (c *call) copyAudit(ctx context.Context, env app.Env, since time.Time) error {
	copied, err := app.CopyAudit(ctx, env, since)
	fmt.Fprintf(c.out, "%d changes copied\n", copied)
	return err
}
