// Command checkout is what operators type: by the admin API it finds payments, tells what happened to them, acts on
// them, and sets merchants up. It works on a stack's table where that has no admin API, and to check and repair it.
//
//	checkout use STACK
//	checkout find --live "4242 2026-11-23"
//	checkout payments refund --live --amount 5.00 --reason "one pen is missing" PAYMENT_ID
//
// checkout --help lists all commands, and checkout completion makes those of a shell. Region and credentials are those
// of AWS's own tools; people without any sign in by checkout login. It exits with 0 for done, 1 for failed, 2 for wrong
// usage, 3 for not allowed, 4 for not found.
package main

import (
	"cmp"
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"
)

// commands makes every command, in the order in which they are listed.
var commands = []func(*call) *cobra.Command{
	useCommand, loginCommand, logoutCommand, findCommand, paymentCommands, chainCommands, callbackCommands,
	addressCommands, circuitCommands, blockCommands, overviewCommand, totalsCommand, exportCommand, operatorCommands,
	approvalCommands, forgetCommand, sessionCommands, auditCommands, meCommand, merchantCommands, walletCommands,
	indexCommands, checkCommand, adminCommand, initCommand, smokeCommand,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	c := &call{
		getenv: os.Getenv, in: os.Stdin, out: os.Stdout, notes: os.Stderr,
		asks: isTerminal(os.Stdin), tables: isTerminal(os.Stdout),
		pause: sleep,
	}
	if folder, err := os.UserConfigDir(); err == nil {
		c.config = filepath.Join(folder, "checkout", "config.json")
	}
	c.config = cmp.Or(os.Getenv("CHECKOUT_CONFIG"), c.config)
	err := run(ctx, c, os.Args[1:])
	stop()
	os.Exit(c.report(err))
}

// isTerminal reports whether a person reads or types a file.
func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// run runs the command that args name.
func run(ctx context.Context, c *call, args []string) error {
	root := c.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil && !c.started {
		err = misuse{err}
	}
	return err
}

// root returns the whole tree of commands.
func (c *call) root() *cobra.Command {
	root := &cobra.Command{
		Use: "checkout", Short: "Find, understand and change payments of a stack, and set it up",
		SilenceErrors: true, SilenceUsage: true,
	}
	root.SetIn(c.in)
	root.SetOut(c.out)
	root.SetErr(c.notes)
	for _, command := range commands {
		root.AddCommand(command(c))
	}
	return root
}
