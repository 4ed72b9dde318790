package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"checkout/internal/app"
)

func indexCommands(c *call) *cobra.Command {
	return group("index", "check and repair the listing of payments", c.checkIndexCommand(), c.rebuildIndexCommand())
}

// listingFlags add the flags of a command on the listing.
func (c *call) listingFlags(cmd *cobra.Command) {
	c.tableFlag(cmd)
	c.setting(cmd, "listing", "LISTING_TABLE", "`NAME` of the table with the listing of payments")
}

// listingEnv is the environment of the listing. Its retention is that of the stack, if it is not the default.
func (c *call) listingEnv() (app.Env, error) {
	if c.env("LISTING_TABLE") == "" {
		return nil, misusef("no listing: name a stack with checkout use STACK, or set --listing or LISTING_TABLE")
	}
	return c.tableEnv("LISTING_TABLE", "LISTING_RETENTION_DAYS")
}

func (c *call) checkIndexCommand() *cobra.Command {
	cmd := c.command(leaf{
		use: "check", does: "compare the listing of payments with all orders, and say what differs", example: "index check",
		run: func(ctx context.Context, _ []string) error { return c.checkIndex(ctx) },
	})
	c.listingFlags(cmd)
	return cmd
}

// checkIndex prints a line for every document of the listing that is not as it should be, and fails if there is any.
func (c *call) checkIndex(ctx context.Context) error {
	env, err := c.listingEnv()
	if err != nil {
		return err
	}
	faults := 0
	orders, err := app.CheckListing(ctx, env, func(line string) {
		faults++
		fmt.Fprintln(c.out, line)
	})
	if err != nil {
		return err
	}
	if faults > 0 {
		return fmt.Errorf("%d documents are not as %d orders lead to", faults, orders)
	}
	_, err = fmt.Fprintf(c.out, "all is listed as %d orders lead to\n", orders)
	return err
}

func (c *call) rebuildIndexCommand() *cobra.Command {
	act := app.Act{Command: "index rebuild"}
	cmd := c.command(leaf{
		use: "rebuild", does: "make the listing of payments anew where it differs", example: "index rebuild",
		run: func(ctx context.Context, _ []string) error {
			env, err := c.listingEnv()
			if err != nil {
				return err
			}
			act, err := app.CompleteAct(ctx, act)
			if err != nil {
				return err
			}
			done, err := app.RebuildListing(ctx, env, act)
			fmt.Fprintf(c.out, "%d orders read, %d documents stored, %d deleted\n", done.Orders, done.Stored, done.Deleted)
			return err
		},
	})
	c.listingFlags(cmd)
	cmd.Flags().StringVar(&act.By, "by", "", "`NAME` of who asks for it, if that is not clear from the AWS credentials")
	cmd.Flags().StringVar(&act.Reason, "reason", "", "why")
	return cmd
}
