package main

import (
	"context"
	"fmt"

	"checkout/internal/app"
)

var indexCommands = []command{
	{"index", "check", "-listing NAME", "compares the listing of payments with all orders, and says what differs",
		checkIndex},
	{"index", "rebuild", actArgs + "-listing NAME", "makes the listing of payments anew where it differs",
		rebuildIndex},
}

// listing adds the flag of the listing table, and returns the environment with its name once the flags were read.
func (c *call) listing() app.Env {
	name := c.flags.String("listing", c.getenv("LISTING_TABLE"), "name of the table with the listing of payments")
	return func(variable string) string {
		switch variable {
		case "LISTING_TABLE":
			return *name
		case "LISTING_RETENTION_DAYS": // that of the stack, if it is not the default
			return c.getenv(variable)
		}
		return c.env(variable)
	}
}

// checkIndex prints a line for every document of the listing that is not as it should be, and fails if there is any.
func checkIndex(ctx context.Context, c *call) error {
	env := c.listing()
	if err := c.parse(0); err != nil {
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

func rebuildIndex(ctx context.Context, c *call) error {
	env := c.listing()
	c.actFlags()
	if err := c.parse(0); err != nil {
		return err
	}
	act, err := c.act(ctx)
	if err != nil {
		return err
	}
	done, err := app.RebuildListing(ctx, env, act)
	fmt.Fprintf(c.out, "%d orders read, %d documents stored, %d deleted\n", done.Orders, done.Stored, done.Deleted)
	return err
}
