package main

import (
	"context"
	"fmt"

	"checkout/internal/app"
)

var tableCommands = []command{
	{"check", "", "", "reads all of it and says which payments are not as they always are; for one that was restored",
		checkTable},
}

// checkTable prints a line for every violated invariant, and fails if there is any.
func checkTable(ctx context.Context, c *call) error {
	if err := c.parse(0); err != nil {
		return err
	}
	faults := 0
	partitions, err := app.CheckTable(ctx, *c.table, func(line string) {
		faults++
		fmt.Fprintln(c.out, line)
	})
	if err != nil {
		return err
	}
	if faults > 0 {
		return fmt.Errorf("%d things in %d partitions do not hold", faults, partitions)
	}
	fmt.Fprintf(c.out, "all holds in %d partitions\n", partitions)
	return nil
}
