package main

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/app"
)

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

// copiesEnv is the environment of the log and its copies.
func (c *call) copiesEnv() (app.Env, error) {
	if c.env("AUDIT_BUCKET") == "" {
		return nil, misusef("no bucket: name a stack with checkout use STACK, or set --bucket or AUDIT_BUCKET")
	}
	return c.tableEnv("AUDIT_BUCKET", "AWS_ENDPOINT_URL_S3")
}

// compareAudit compares the log in the table with its copies, and prints a line for every fault. It fails where there
// are none, and where whoever calls may not read them.
func (c *call) compareAudit(ctx context.Context, since time.Time) (verified, error) {
	env, err := c.copiesEnv()
	if err != nil {
		return verified{}, fmt.Errorf("not compared with the locked copies: %w", err)
	}
	entries, all, err := app.CompareAudit(ctx, env, since)
	if err != nil {
		return verified{}, fmt.Errorf("not compared with the locked copies: %w", err)
	}
	for _, fault := range all {
		fmt.Fprintln(c.out, fault)
	}
	return verified{entries: entries, faults: len(all)}, nil
}
