package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"checkout/internal/app"
)

var merchantCommands = []command{
	{"merchants", "put", "[-base URL] FILE", "stores the merchants of a JSON file, in place of what is stored under their ids", putMerchants},
}

// putMerchants stores the merchants of a file and prints their names and keys. Functions that remember the old settings
// use them for up to a minute more.
func putMerchants(ctx context.Context, c *call) error {
	base := c.flags.String("base", c.getenv("BASE_URL"), "URL of the service, which takes the place of {BASE_URL} in the file")
	if err := c.parse(1); err != nil {
		return err
	}
	text, err := os.ReadFile(c.flags.Arg(0))
	if err != nil {
		return err
	}
	if *base == "" && bytes.Contains(text, []byte("{BASE_URL}")) {
		return errors.New("the file speaks of {BASE_URL}: set -base or BASE_URL")
	}
	store, err := c.open(ctx)
	if err != nil {
		return err
	}
	stored, err := app.LoadMerchants(ctx, store, text, strings.TrimRight(*base, "/"))
	if err != nil {
		return err
	}
	rows := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, m := range stored {
		fmt.Fprintf(rows, "%s\tlive key %s\ttest key %s\n", m.Name, m.LiveKey, m.TestKey)
	}
	return rows.Flush()
}
