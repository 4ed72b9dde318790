package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func (c *call) rotateCommand() *cobra.Command {
	var ch *change
	var o *output
	var to string
	var overlap time.Duration
	what := []string{"key", "test-key", "password", "callback-secret"}
	cmd := c.command(leaf{
		use:     "rotate ID " + strings.Join(what, "|"),
		example: `merchants rotate --overlap 24h --reason "seen in a log" pens password`,
		does:    "replace a key or secret; the old one ends at once or after the overlap", args: cobra.ExactArgs(2),
		run: func(ctx context.Context, args []string) error {
			body := map[string]any{"what": args[1]}
			if to != "" {
				body["to"] = to
			}
			if overlap != 0 {
				body["overlap"] = overlap.String()
			}
			var made newKeys
			err := c.ask(ctx, ch, merchantPath(args[0], "/rotate"), settingOf{
				asked: fmt.Sprintf("Replace the %s of %s; the old one ends in %s", args[1], printable(args[0]), overlap),
				body:  body, to: &made,
			})
			if err != nil {
				return err
			}
			return c.printRotated(o, made, args[1], overlap)
		},
	})
	ch, o = c.changesSettings(cmd)
	cmd.Flags().DurationVar(&overlap, "overlap", 0, "how long the old one stays good, at most 720h")
	cmd.Flags().StringVar(&to, "to", "", "the new value; without it a random one is made and printed")
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 1 {
			return what, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// printRotated prints a new key or secret, if it was made, and when the old one ends.
func (c *call) printRotated(o *output, made newKeys, what string, overlap time.Duration) error {
	if !o.people() {
		return o.lineOf(made)
	}
	if made.Repeated {
		return made.print(c.out)
	}
	if value := cmp.Or(made.LiveKey, made.TestKey, made.Password, made.CallbackSecret); value != "" {
		fmt.Fprintf(c.out, "new %s of %s: %s\n", what, printable(made.Merchant), printable(value))
	}
	if overlap == 0 {
		fmt.Fprintln(c.out, "the old one has ended; functions that have it cached accept it for up to a minute more")
	} else {
		fmt.Fprintf(c.out, "the old one ends in %s\n", overlap)
	}
	return nil
}
