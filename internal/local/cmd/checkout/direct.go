package main

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"

	"github.com/spf13/cobra"

	"checkout/internal/app"
)

// Some commands work on the stack's table itself: what repairs it. Those of merchants and wallets do where there is no
// admin API.

// tableFlag adds the flag that names the table.
func (c *call) tableFlag(cmd *cobra.Command) {
	c.setting(cmd, "table", "TABLE", "`NAME` of the table")
}

// directFlags adds the flags of a command on what is set for merchants, which can do without an admin API.
func (c *call) directFlags(cmd *cobra.Command) {
	c.tableFlag(cmd)
	c.setting(cmd, "secrets-key", "SECRETS_KEY_ID", "`ID` of the KMS key that wraps the data keys of merchants' secrets")
	cmd.Flags().BoolVar(&c.directly, "direct", false, "in the table, without the admin API; so it is with --table, too, "+
		"and for a stack that has none")
	cmd.MarkFlagsMutuallyExclusive("api", "direct")
	cmd.MarkFlagsMutuallyExclusive("api", "table")
}

// tableEnv returns the environment of what opens the table, with other variables that it may need.
func (c *call) tableEnv(others ...string) (app.Env, error) {
	if c.env("TABLE") == "" {
		return nil, misusef("no table: name a stack with checkout use STACK, or set --table or TABLE")
	}
	env := c.only(append(others, "TABLE")...)
	return func(name string) string {
		if name == "LOCAL_RUN" && c.isLocalRun() {
			return "true"
		}
		return env(name)
	}, nil
}

// isLocalRun reports whether the table is that of a local run, whose providers may be on this machine. A variable that
// was left behind in a shell never changes the rules of a table of AWS.
func (c *call) isLocalRun() bool {
	endpoint, err := url.Parse(c.env("AWS_ENDPOINT_URL_DYNAMODB"))
	if err != nil || c.env("LOCAL_RUN") != "true" {
		return false
	}
	at, err := netip.ParseAddr(endpoint.Hostname())
	return endpoint.Hostname() == "localhost" || err == nil && (at.IsLoopback() || at.IsPrivate())
}

func checkCommand(c *call) *cobra.Command {
	cmd := c.command(leaf{
		use: "check", does: "read a whole table, such as a restored one, and say which payments are not as they always are",
		example: "check --table checkout-restored",
		run:     func(ctx context.Context, _ []string) error { return c.checkTable(ctx) },
	})
	c.tableFlag(cmd)
	return cmd
}

// checkTable prints a line for every violated invariant, and fails if there is any.
func (c *call) checkTable(ctx context.Context) error {
	env, err := c.tableEnv()
	if err != nil {
		return err
	}
	faults := 0
	partitions, err := app.CheckTable(ctx, env("TABLE"), func(line string) {
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
