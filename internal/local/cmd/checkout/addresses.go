package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/spf13/cobra"
)

func addressCommands(c *call) *cobra.Command {
	return group("addresses", "see where callbacks are sent to, and how these do",
		c.plainListCommand(leaf{use: "list", example: "addresses list",
			does: "list addresses with undelivered callbacks or an open circuit breaker"},
			list{"/addresses", "addresses", false,
				[]string{"merchant", "mode", "url", "open_until", "slow", "waiting", "parked", "oldest"}}),
		c.closeAddressCommand())
}

// plainListCommand makes a command that prints a whole list, live and test.
func (c *call) plainListCommand(of leaf, l list, names ...string) *cobra.Command {
	var o *output
	values := func() url.Values { return url.Values{} }
	of.run = func(ctx context.Context, _ []string) error {
		_, err := l.read(ctx, o, &pages{all: true}, values())
		return err
	}
	cmd := c.command(of)
	c.address(cmd)
	if o = c.output(cmd); len(names) > 0 {
		values = filtered(cmd, names...).values
	}
	return cmd
}

func (c *call) closeAddressCommand() *cobra.Command {
	var ch *change
	cmd := c.command(leaf{
		use: "close MERCHANT_ID URL", does: "close the circuit breaker of an address, so that callbacks flow again",
		example: `addresses close --live --reason "the shop is back" pens https://pens.example/callback`,
		args:    cobra.ExactArgs(2),
		run: func(ctx context.Context, args []string) error {
			err := c.ask(ctx, ch, "/addresses/open", settingOf{
				asked: fmt.Sprintf("Send callbacks to %s of %s (%s) again", printable(args[1]), args[0], mode(ch.live)),
				body:  map[string]any{"merchant": args[0], "mode": mode(ch.live), "url": args[1]},
			})
			if err == nil {
				fmt.Fprintln(c.out, "closed; callbacks are sent at their next times")
			}
			return err
		},
	})
	cmd.Aliases = []string{"open"} // as the API names it
	ch = c.changes(cmd)
	live(cmd, &ch.live)
	return cmd
}

// settingOf is a changing call that is about no payment.
type settingOf struct {
	asked string // in words; "": nobody is
	body  map[string]any
	to    any // of the response; nil: it has nothing
}

// ask asks back, and has the API change something.
func (c *call) ask(ctx context.Context, ch *change, path string, s settingOf) error {
	api, err := c.api(ctx)
	if err != nil {
		return err
	}
	if err := c.confirm(ch.yes || s.asked == "", "%s", s.asked); err != nil {
		return err
	}
	ch.begin()
	s.body["reason"] = ch.reason
	if s.to == nil {
		s.to = &struct{}{}
	}
	return api.change(ctx, post{path, ch.key, s.body}, s.to)
}

func circuitCommands(c *call) *cobra.Command {
	return group("circuits", "see which MIDs get no payments because their provider fails",
		c.plainListCommand(leaf{use: "list", does: "list circuit breakers of MIDs that are not closed",
			example: "circuits list"},
			list{"/circuits", "circuits", false,
				[]string{"merchant", "mode", "mapping", "mid", "connector", "state", "reason", "since", "until"}}),
		c.closeCircuitCommand())
}

func (c *call) closeCircuitCommand() *cobra.Command {
	var ch *change
	cmd := c.command(leaf{
		use:     "close MERCHANT_ID MAPPING MID",
		does:    "close the circuit breaker of a MID, so that payments are sent there again",
		example: `circuits close --live --reason "the provider is well" pens default bank`, args: cobra.ExactArgs(3),
		run: func(ctx context.Context, args []string) error {
			var done struct {
				Closed bool `json:"closed"`
			}
			err := c.ask(ctx, ch, "/circuits/close", settingOf{
				asked: fmt.Sprintf("Send payments of %s (%s) to %s of %s again", args[0], mode(ch.live), args[2], args[1]),
				body: map[string]any{"merchant": args[0], "mode": mode(ch.live), "mapping": args[1],
					"mid": args[2]}, to: &done,
			})
			if err == nil && !done.Closed {
				err = errors.New("it has no open circuit breaker")
			}
			if err == nil {
				fmt.Fprintln(c.out, "closed; functions know it within 10 seconds")
			}
			return err
		},
	})
	ch = c.changes(cmd)
	live(cmd, &ch.live)
	return cmd
}
