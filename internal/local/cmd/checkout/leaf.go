package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// leaf is a command that does something.
type leaf struct {
	use, does string // the name with its arguments; what it does, in a line
	example   string
	args      cobra.PositionalArgs // nil: none
	chooses   bool                 // it works on another stack than the one that is used
	run       func(ctx context.Context, args []string) error
}

// command makes a command of a leaf.
func (c *call) command(l leaf) *cobra.Command {
	if l.args == nil {
		l.args = cobra.NoArgs
	}
	return &cobra.Command{
		Use: l.use, Short: l.does, Example: "  checkout " + l.example,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := l.args(cmd, args); err != nil {
				return fmt.Errorf("%w; use: %s", err, cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			c.started, c.settings = true, cmd.Flags().Lookup("direct") != nil
			if err := noneBlank(cmd, args); err != nil {
				return err
			}
			if err := c.open(); err != nil {
				return err
			}
			if !l.chooses {
				if err := c.inRegion(); err != nil {
					return err
				}
			}
			return l.run(cmd.Context(), args)
		},
	}
}

// noneBlank refuses a flag or an argument without a value. It is likely a variable that is not set, and must not mean
// what an absent one does: all that is left of a payment, all merchants, a new call in place of a repeat.
func noneBlank(cmd *cobra.Command, args []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && strings.TrimSpace(f.Value.String()) == "" {
			err = misusef("--%s has no value: leave it out, or give it one", f.Name)
		}
	})
	if slices.ContainsFunc(args, func(arg string) bool { return strings.TrimSpace(arg) == "" }) {
		err = misusef("an argument is empty; use: %s", cmd.UseLine())
	}
	return err
}

// group makes a command that has others below it, and does nothing by itself.
func group(use, does string, below ...*cobra.Command) *cobra.Command {
	g := &cobra.Command{
		Use: use, Short: does,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("no command %q: see %s --help", strings.Join(args, " "), cmd.CommandPath())
			}
			return errors.Join(cmd.Help(), errors.New("name a command"))
		},
	}
	g.AddCommand(below...)
	return g
}

// setting adds a flag for a setting that is else read from a variable of the environment, or from the file of use.
func (c *call) setting(cmd *cobra.Command, flag, variable, means string) {
	cmd.Flags().Func(flag, means+" (else "+variable+", or what use has read)", func(value string) error {
		if c.given == nil {
			c.given = map[string]string{}
		}
		c.given[variable] = value
		return nil
	})
}

// env is the environment of the service's parts: what flags, variables and the file of use say, in this order.
func (c *call) env(variable string) string {
	if value, is := c.given[variable]; is {
		return value
	}
	if value := c.getenv(variable); value != "" {
		return value
	}
	return c.file.Settings[variable]
}

// only returns the environment with some of its variables alone.
func (c *call) only(variables ...string) func(string) string {
	return func(name string) string {
		for _, variable := range variables {
			if name == variable {
				return c.env(name)
			}
		}
		return ""
	}
}

// choices has a shell complete a flag by its values.
func choices(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag is not there
	}
}
