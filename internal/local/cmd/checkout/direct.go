package main

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"checkout/internal/app"
)

// Some commands work on the stack's table itself: what sets a stack up, and what repairs it.

// tableFlag adds the flag that names the table.
func (c *call) tableFlag(cmd *cobra.Command) {
	c.setting(cmd, "table", "TABLE", "`NAME` of the table")
}

// secretsFlag adds the flags of a command that opens or stores merchants' secrets.
func (c *call) secretsFlag(cmd *cobra.Command) {
	c.tableFlag(cmd)
	c.setting(cmd, "secrets-key", "SECRETS_KEY_ID", "`ID` of the KMS key that wraps the data keys of merchants' secrets")
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

// merchantsEnv is tableEnv for what opens merchants alone, which are not always in a table.
func (c *call) merchantsEnv(others ...string) (app.Env, error) {
	if c.isEmbedded() {
		return c.only("LOCAL_SERVICE", "LOCAL_SECRET"), nil
	}
	return c.tableEnv(others...)
}

// isEmbedded reports whether the merchants are those of `make run`, which has no table. CHECKOUT_CONFIG names the file
// that it has written; nothing else does.
func (c *call) isEmbedded() bool {
	return c.file.Settings["LOCAL_SERVICE"] != "" && c.given["TABLE"] == ""
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

// direct is a change to the table, as the audit log tells of it.
type direct struct {
	call                *call
	command, by, reason string
	yes                 bool
}

// direct adds the flags of a change to the table. One that asks back has --yes, too.
func (c *call) direct(cmd *cobra.Command, command string, asks bool) *direct {
	d := &direct{call: c, command: command}
	cmd.Flags().StringVar(&d.by, "by", "", "`NAME` of who asks for it, if that is not clear from the AWS credentials")
	cmd.Flags().StringVar(&d.reason, "reason", "", "why")
	if asks {
		yes(cmd, &d.yes)
	}
	return d
}

// act returns the act of the caller, by the flags that were read.
func (d *direct) act(ctx context.Context) (app.Act, error) {
	act := app.Act{By: strings.TrimSpace(d.by), Reason: strings.TrimSpace(d.reason), Command: d.command}
	if d.call.isEmbedded() {
		return app.LocalAct(act, app.LocalOperator)
	}
	return app.CompleteAct(ctx, act)
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
