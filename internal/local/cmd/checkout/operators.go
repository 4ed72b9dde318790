package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"checkout/internal/app"
)

// grantColumns are what is shown of a role that a person has.
var grantColumns = []string{"who", "role", "merchants", "mode", "by", "at"}

// limitColumns are what is shown of what a role may return to payers alone.
var limitColumns = []string{"role", "currency", "one", "day"}

func operatorCommands(c *call) *cobra.Command {
	return group("operators", "see and change who may do what",
		c.plainListCommand(leaf{use: "list", does: "list who has which role", example: "operators list"},
			list{"/operators", "grants", false, grantColumns}),
		c.plainListCommand(leaf{use: "limits", does: "list what roles may return alone", example: "operators limits"},
			list{"/operators", "limits", false, limitColumns}),
		c.grantCommand(), c.revokeCommand(), c.limitCommand())
}

func (c *call) grantCommand() *cobra.Command {
	var ch *change
	var first bool
	var merchants string
	var chosenMode func() string
	cmd := c.command(leaf{
		use: "grant WHO ROLE", does: "give a role to a person: an ARN, or one that ends with /* for all of a role",
		example: `operators grant --reason "joins support" --merchants pens --live --test ` +
			`'arn:aws:sts::111122223333:assumed-role/Support/ann' support`,
		args: cobra.RangeArgs(1, 2),
		run: func(ctx context.Context, args []string) error {
			if first {
				return c.grantFirst(ctx, ch, args)
			}
			if len(args) < 2 {
				return misusef("name a role: %s", strings.Join(app.Roles(), ", "))
			}
			granted := cmp.Or(chosenMode(), "test")
			return c.changeGrants(ctx, ch, "grant", settingOf{
				asked: fmt.Sprintf("Give %s the role %s for %s, %s payments", printable(args[0]), args[1], merchants, granted),
				body:  map[string]any{"who": args[0], "role": args[1], "mode": granted, "merchants": merchantsOf(merchants)},
			})
		},
	})
	ch = c.changes(cmd)
	cmd.Flags().StringVar(&merchants, "merchants", "all", "`IDS` of merchants, or all")
	chosenMode = modes(cmd, "live payments; with --test both", "test payments, as without --live")
	cmd.Flags().BoolVar(&first, "first", false, "the first administrator of a stack, whom nobody can name: into the table")
	c.tableFlag(cmd)
	cmd.ValidArgsFunction = roleArgs
	return cmd
}

// modes adds the flags of a grant's mode, and returns what they say, "" without either.
func modes(cmd *cobra.Command, live, test string) func() string {
	forLive := cmd.Flags().Bool("live", false, live)
	forTest := cmd.Flags().Bool("test", false, test)
	return func() string {
		switch {
		case *forLive && *forTest:
			return "both"
		case *forLive, *forTest:
			return mode(*forLive)
		}
		return ""
	}
}

// merchantsOf reads ids of merchants. The API knows all of them as one star, which a shell would replace by files.
func merchantsOf(text string) []string {
	if text == "all" {
		return []string{"*"}
	}
	return strings.Split(text, ",")
}

// roleArgs completes the role of an argument.
func roleArgs(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 1 {
		return app.Roles(), cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// grantFirst makes a person the administrator of a stack where nobody has a role yet.
func (c *call) grantFirst(ctx context.Context, ch *change, args []string) error {
	if len(args) > 1 && args[1] != "admin" {
		return misusef("the first one is an admin")
	}
	if err := c.confirm(ch.yes, "Make %s the first administrator", printable(args[0])); err != nil {
		return err
	}
	env, err := c.tableEnv()
	if err != nil {
		return err
	}
	act, err := app.CompleteAct(ctx, app.Act{Reason: ch.reason, Command: "operators grant --first"})
	if err != nil {
		return err
	}
	if err := app.GrantFirst(ctx, env, act, args[0]); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "%s is the first administrator\n", printable(args[0]))
	return err
}

func (c *call) revokeCommand() *cobra.Command {
	var ch *change
	var merchants string
	var chosenMode func() string
	cmd := c.command(leaf{
		use: "revoke WHO ROLE", does: "take a role from a person, at once",
		example: `operators revoke --reason "has left" 'arn:aws:sts::111122223333:assumed-role/Support/ann' support`,
		args:    cobra.ExactArgs(2),
		run: func(ctx context.Context, args []string) error {
			return c.changeGrants(ctx, ch, "revoke", settingOf{
				asked: fmt.Sprintf("Take the role %s from %s", args[1], printable(args[0])),
				body:  chosenGrant(args, merchants, chosenMode()),
			})
		},
	})
	ch = c.changes(cmd)
	cmd.Flags().StringVar(&merchants, "merchants", "", "of several grants that for these `IDS`, or all")
	chosenMode = modes(cmd, "of several grants that for live payments; with --test that for both",
		"of several grants that for test payments")
	cmd.ValidArgsFunction = roleArgs
	return cmd
}

// chosenGrant is a role of a person, or one grant of it.
func chosenGrant(args []string, merchants, mode string) map[string]any {
	body := map[string]any{"who": args[0], "role": args[1]}
	if merchants != "" {
		body["merchants"] = merchantsOf(merchants)
	}
	if mode != "" {
		body["mode"] = mode
	}
	return body
}

func (c *call) limitCommand() *cobra.Command {
	var ch *change
	var none bool
	cmd := c.command(leaf{
		use: "limit ROLE CURRENCY [ONE DAY]", does: "set what people with a role may return alone, at once and a day",
		example: `operators limit --reason "as agreed with finance" support EUR 100.00 1000.00`,
		args:    cobra.RangeArgs(2, 4),
		run: func(ctx context.Context, args []string) error {
			body := map[string]any{"role": args[0], "currency": args[1]}
			switch {
			case len(args) == 4 && !none:
				body["one"], body["day"] = args[2], args[3]
			case len(args) != 2 || !none:
				return misusef("name the most at once and the most a day, or say --none")
			}
			var now struct {
				Limits []json.RawMessage `json:"limits"`
			}
			err := c.ask(ctx, ch, "/operators/limit", settingOf{
				asked: fmt.Sprintf("Limit what %s may return in %s", printable(args[0]), printable(args[1])), body: body, to: &now,
			})
			if err != nil {
				return err
			}
			return (&output{c: c}).all(now.Limits, limitColumns...)
		},
	})
	ch = c.changes(cmd)
	cmd.Flags().BoolVar(&none, "none", false, "take the limit away")
	return cmd
}

// changeGrants gives or takes a role, and prints who has which one then.
func (c *call) changeGrants(ctx context.Context, ch *change, what string, s settingOf) error {
	var now struct {
		Grants []json.RawMessage `json:"grants"`
	}
	s.to = &now
	if err := c.ask(ctx, ch, "/operators/"+what, s); err != nil {
		return err
	}
	return (&output{c: c}).all(now.Grants, grantColumns...)
}

func meCommand(c *call) *cobra.Command {
	var o *output
	cmd := c.command(leaf{
		use: "me", does: "say who you are, and what you may do", example: "me",
		run: func(ctx context.Context, _ []string) error {
			api, err := c.api(ctx)
			if err != nil {
				return err
			}
			whole, _, err := api.get(ctx, "/me", nil)
			if err != nil {
				return err
			}
			if !o.people() {
				return o.line(whole)
			}
			return c.printMe(whole)
		},
	})
	c.address(cmd)
	o = c.output(cmd)
	return cmd
}

func (c *call) printMe(whole json.RawMessage) error {
	var me struct {
		Grants []json.RawMessage          `json:"grants"`
		Rights map[string]json.RawMessage `json:"rights"`
	}
	if err := decode(whole, &me); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s on %s %s\n", text(member(whole, "who")), text(member(whole, "stack")),
		text(member(whole, "version")))
	if err := table(c.out, me.Grants, grantColumns...); err != nil {
		return err
	}
	var names []string
	for name := range me.Rights {
		names = append(names, name)
	}
	slices.Sort(names)
	rows := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(rows, "right\tlive\ttest")
	for _, name := range names {
		right := me.Rights[name]
		fmt.Fprintf(rows, "%s\t%s\t%s\n", printable(name), text(member(right, "live")), text(member(right, "test")))
	}
	return rows.Flush()
}
