// Command checkout is the operator's command, for a stack's table:
//
//	go run ./internal/local/cmd/checkout merchants put -table NAME -base URL FILE
//	go run ./internal/local/cmd/checkout callbacks list -table NAME -url URL -since TIME
//	go run ./internal/local/cmd/checkout callbacks send -table NAME PAYMENT_ID SEQ
//	go run ./internal/local/cmd/checkout payments show -table NAME PAYMENT_ID
//	go run ./internal/local/cmd/checkout payments waiting -table NAME
//	go run ./internal/local/cmd/checkout payments settle -table NAME -by NAME -reason TEXT PAYMENT_ID approved
//	go run ./internal/local/cmd/checkout payments look-up -table NAME PAYMENT_ID
//	go run ./internal/local/cmd/checkout circuits list -table NAME
//	go run ./internal/local/cmd/checkout wallets list -table NAME MERCHANT_ID
//	go run ./internal/local/cmd/checkout audit list -table NAME -since TIME
//	go run ./internal/local/cmd/checkout index check -table NAME -listing NAME
//
// Without a command it lists all of them. It prints no secret but one that it has generated, once. Region, credentials
// and endpoint are those of AWS's own tools.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"

	"checkout/internal/app"
)

// command is one thing that an operator can do.
type command struct {
	group, name string // name may be ""
	args        string // the arguments after the flags
	does        string
	run         func(ctx context.Context, c *call) error
}

// call is a command with its flags and arguments.
type call struct {
	command command
	flags   *flag.FlagSet // the command adds its own before it parses
	args    []string      // after the command's name
	getenv  app.Env
	in      io.Reader
	out     io.Writer
	table   *string
	noTable bool // the command needs no table

	by, reason *string // of actFlags
}

// commands is every command. The code that each one runs is in its group's file.
func commands() []command {
	return slices.Concat(
		merchantCommands, callbackCommands, paymentCommands, circuitCommands, walletCommands, auditCommands,
		indexCommands, tableCommands, adminCommands)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Getenv, os.Stdout)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "checkout:", err)
		os.Exit(1)
	}
}

// run runs the command that args begin with.
func run(ctx context.Context, args []string, getenv app.Env, out io.Writer) error {
	for _, c := range commands() {
		words := strings.Fields(c.group + " " + c.name)
		if len(args) < len(words) || !slices.Equal(args[:len(words)], words) {
			continue
		}
		flags := flag.NewFlagSet(strings.Join(words, " "), flag.ContinueOnError)
		flags.SetOutput(out)
		table := flags.String("table", getenv("TABLE"), "name of the DynamoDB table")
		return c.run(ctx, &call{
			command: c, flags: flags, args: args[len(words):], getenv: getenv, in: os.Stdin, out: out, table: table,
		})
	}
	if err := list(out); err != nil || len(args) == 0 {
		return errors.Join(err, errors.New("name a command"))
	}
	return fmt.Errorf("no command %q", args)
}

// list prints every command.
func list(out io.Writer) error {
	rows := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, c := range commands() {
		fmt.Fprintf(rows, "checkout %s %s -table NAME %s\t%s\n", c.group, c.name, c.args, c.does)
	}
	return rows.Flush()
}

// parse reads the flags, which may also follow arguments, and reports what is missing. args are the numbers of
// arguments that the command takes.
func (c *call) parse(args ...int) error {
	var found []string
	for rest := c.args; ; rest = c.flags.Args()[1:] {
		if err := c.flags.Parse(rest); err != nil {
			return err
		}
		if c.flags.NArg() == 0 {
			break
		}
		found = append(found, c.flags.Arg(0))
	}
	if err := c.flags.Parse(append([]string{"--"}, found...)); err != nil {
		return err
	}
	switch {
	case !slices.Contains(args, c.flags.NArg()):
		return fmt.Errorf("use: checkout %s %s -table NAME %s", c.command.group, c.command.name, c.command.args)
	case *c.table == "" && !c.noTable:
		return errors.New("no table: set -table or TABLE")
	}
	return nil
}

// env is the environment with the table of the flags.
func (c *call) env(name string) string {
	return map[string]string{"TABLE": *c.table}[name]
}
