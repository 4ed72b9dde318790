package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// rotation is the replacement of a key or secret, as it is typed.
type rotation struct {
	merchant, what, to string
	overlap            time.Duration
}

func (c *call) rotateCommand() *cobra.Command {
	var ch *change
	var o *output
	var r rotation
	what := []string{"key", "test-key", "password", "callback-secret"}
	cmd := c.command(leaf{
		use:     "rotate ID " + strings.Join(what, "|"),
		example: `merchants rotate --overlap 24h --reason "seen in a log" pens password`,
		does:    "replace a key or secret; the old one ends at once or after the overlap", args: cobra.ExactArgs(2),
		run: func(ctx context.Context, args []string) error {
			r.merchant, r.what = args[0], args[1]
			return c.rotate(ctx, ch, o, r)
		},
	})
	ch, o = c.changesSettings(cmd)
	cmd.Flags().DurationVar(&r.overlap, "overlap", 0, "how long the old one stays good, at most 720h")
	cmd.Flags().StringVar(&r.to, "to", "", "the new value; without it a random one is made and printed")
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 1 {
			return what, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// rotate replaces a key or secret. It prints the new value only if it was generated.
func (c *call) rotate(ctx context.Context, ch *change, o *output, r rotation) error {
	var made newKeys
	body := map[string]any{"what": r.what}
	if r.to != "" {
		body["to"] = r.to
	}
	if r.overlap != 0 {
		body["overlap"] = r.overlap.String()
	}
	err := c.ask(ctx, ch, merchantPath(r.merchant, "/rotate"), settingOf{
		asked: fmt.Sprintf("Replace the %s of %s; the old one ends in %s", r.what, printable(r.merchant), r.overlap),
		body:  body, to: &made,
	})
	if err != nil {
		return err
	}
	if !o.people() {
		return o.lineOf(made)
	}
	if value := cmp.Or(made.LiveKey, made.TestKey, made.Password, made.CallbackSecret); value != "" {
		fmt.Fprintf(c.out, "new %s of %s: %s\n", r.what, printable(r.merchant), printable(value))
	} else if made.Repeated {
		return c.printKeys(made)
	}
	if r.overlap == 0 {
		fmt.Fprintln(c.out, "the old one has ended; functions that have it cached accept it for up to a minute more")
	} else {
		fmt.Fprintf(c.out, "the old one ends in %s\n", r.overlap)
	}
	return nil
}
