// Command merchants stores the merchants of a JSON file in a DynamoDB table, in place of what is stored under their keys:
//
//	go run ./internal/local/cmd/merchants -table NAME -base URL FILE
//
// It prints names and keys of what it stored, never a password. Region, credentials and endpoint are those of AWS's own
// tools. Functions that remember the old settings use them for up to a minute more.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"text/tabwriter"

	"checkout/internal/app"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Getenv, os.Stdout)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "merchants:", err)
		os.Exit(1)
	}
}

// run stores the merchants of the file that args name.
func run(ctx context.Context, args []string, getenv app.Env, out io.Writer) error {
	flags := flag.NewFlagSet("merchants", flag.ContinueOnError)
	flags.SetOutput(out)
	table := flags.String("table", getenv("TABLE"), "name of the DynamoDB table")
	base := flags.String("base", getenv("BASE_URL"), "URL of the service, which takes the place of {BASE_URL} in the file")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() != 1:
		return errors.New("name one file: merchants -table NAME -base URL FILE")
	case *table == "":
		return errors.New("no table: set -table or TABLE")
	}
	text, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return err
	}
	if *base == "" && bytes.Contains(text, []byte("{BASE_URL}")) {
		return errors.New("the file speaks of {BASE_URL}: set -base or BASE_URL")
	}
	store, err := app.OpenTable(ctx, func(name string) string {
		return map[string]string{"TABLE": *table}[name]
	})
	if err != nil {
		return err
	}
	stored, err := app.LoadMerchants(ctx, store, text, strings.TrimRight(*base, "/"))
	if err != nil {
		return err
	}
	rows := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, m := range stored {
		fmt.Fprintf(rows, "%s\tlive key %s\ttest key %s\n", m.Name, m.LiveKey, m.TestKey)
	}
	return rows.Flush()
}
