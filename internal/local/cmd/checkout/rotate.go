package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"checkout/internal/app"
)

func (c *call) rotateCommand() *cobra.Command {
	var d *direct
	var r app.Rotation
	what := []string{"key", "test-key", "password", "callback-secret"}
	cmd := c.command(leaf{
		use: "rotate ID " + strings.Join(what, "|"), example: "merchants rotate pens password --overlap 24h",
		does: "replace a key or secret; the old one ends at once or after the overlap", args: cobra.ExactArgs(2),
		run: func(ctx context.Context, args []string) error {
			r.Merchant, r.What = args[0], args[1]
			err := c.confirm(d.yes, "Replace the %s of %s; the old one ends in %s", r.What, r.Merchant, r.Overlap)
			if err != nil {
				return err
			}
			return c.rotate(ctx, d, r)
		},
	})
	c.secretsFlag(cmd)
	d = c.direct(cmd, "merchants rotate", true)
	cmd.Flags().DurationVar(&r.Overlap, "overlap", 0, "how long the old one stays good, at most 720h")
	cmd.Flags().StringVar(&r.To, "to", "", "the new value; without it a random one is made and printed")
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 1 {
			return what, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// rotate replaces a key or secret. It prints the new value only if it was generated.
func (c *call) rotate(ctx context.Context, d *direct, r app.Rotation) error {
	merchants, err := c.changeMerchants(ctx, d)
	if err != nil {
		return err
	}
	value, err := merchants.Rotate(ctx, r)
	if err != nil {
		return err
	}
	if r.To == "" {
		fmt.Fprintf(c.out, "new %s of %s: %s\n", r.What, r.Merchant, value)
	}
	if r.Overlap == 0 {
		fmt.Fprintln(c.out, "the old one has ended; functions that have it cached accept it for up to a minute more")
	} else {
		fmt.Fprintf(c.out, "the old one ends in %s\n", r.Overlap)
	}
	return nil
}
