package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"checkout/internal/app"
)

func merchantCommands(c *call) *cobra.Command {
	return group("merchants", "set merchants up, in the table",
		c.newMerchantCommand(), c.putMerchantsCommand(), c.diffMerchantsCommand(), c.versionsCommand(), c.restoreCommand(),
		c.listMerchantsCommand(), c.showMerchantCommand(), c.credentialsCommand(), c.rotateCommand(),
		c.disableCommand(true), c.disableCommand(false))
}

// openMerchants opens the merchants of the table with their secrets. Functions use settings that they have read for up
// to a minute more.
func (c *call) openMerchants(ctx context.Context) (*app.Merchants, error) {
	env, err := c.merchantsEnv("SECRETS_KEY_ID")
	if err != nil {
		return nil, err
	}
	if env("SECRETS_KEY_ID") == "" && !c.isEmbedded() {
		return nil, misusef("no KMS key: name a stack with checkout use STACK, or set --secrets-key or SECRETS_KEY_ID")
	}
	return app.OpenMerchants(ctx, env)
}

// changeMerchants opens the merchants of the table for changes of the caller.
func (c *call) changeMerchants(ctx context.Context, d *direct) (*app.Merchants, error) {
	merchants, err := c.openMerchants(ctx)
	if err == nil {
		merchants.Act, err = d.act(ctx)
	}
	return merchants, err
}

// readMerchants opens the merchants of the table for reading, which needs no KMS key.
func (c *call) readMerchants(ctx context.Context) (*app.Merchants, error) {
	env, err := c.merchantsEnv()
	if err != nil {
		return nil, err
	}
	return app.OpenMerchants(ctx, env)
}

// findMerchant returns a merchant without secrets.
func (c *call) findMerchant(ctx context.Context, id string) (app.MerchantView, error) {
	from, err := c.readMerchants(ctx)
	if err != nil {
		return app.MerchantView{}, err
	}
	return from.Find(ctx, id)
}

func (c *call) newMerchantCommand() *cobra.Command {
	var d *direct
	var n app.NewMerchant
	cmd := c.command(leaf{
		use: "new ID", does: "add a merchant with new keys and secrets, and print them; without --for it asks who integrates",
		example: `merchants new --for plugin --name "The Pen Shop" --url https://shop.example/callback pens`,
		args:    cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			to, err := c.changeMerchants(ctx, d)
			if err != nil {
				return err
			}
			n.ID = args[0]
			return c.newMerchant(ctx, to, n)
		},
	})
	c.secretsFlag(cmd)
	d = c.direct(cmd, "merchants new", false)
	cmd.Flags().StringVar(&n.For, "for", "",
		"who integrates: plugin, a plugin of the protocol, or own, a program of its own")
	cmd.Flags().StringVar(&n.Name, "name", "", "the merchant's name, which payers see; without it its id")
	cmd.Flags().StringVar(&n.URL, "url", "", "its notification_url, for the live and the test key")
	choices(cmd, "for", "plugin", "own")
	return cmd
}

// newMerchant adds a merchant that has no MID yet, and prints its keys and secrets. Nobody can read them later.
func (c *call) newMerchant(ctx context.Context, to *app.Merchants, n app.NewMerchant) error {
	if n.For == "" {
		fmt.Fprint(c.notes, "Does it use a plugin of the protocol, or an integration of its own? [plugin/own] ")
		if _, err := fmt.Fscanln(c.in, &n.For); err != nil {
			return misusef("no choice: reply plugin or own, or set --for")
		}
	}
	m, err := to.New(ctx, n)
	if err != nil {
		return err
	}
	rows := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(rows, "live key\t%s\ntest key\t%s\npassword\t%s\ncallback secret\t%s\n",
		m.LiveKey, m.TestKey, m.Password, m.CallbackSecret)
	if err := rows.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(c.out, "Password and callback secret are not shown again. Next, give it a MID: merchants put FILE.")
	return nil
}

func (c *call) versionsCommand() *cobra.Command {
	cmd := c.command(leaf{
		use: "versions ID", does: "list the settings that a merchant had before, and what was changed then",
		example: "merchants versions pens", args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error { return c.listVersions(ctx, args[0]) },
	})
	c.tableFlag(cmd)
	return cmd
}

// listVersions prints the settings that a merchant had before, the latest first, with what was changed after each.
func (c *call) listVersions(ctx context.Context, id string) error {
	from, err := c.readMerchants(ctx)
	if err != nil {
		return err
	}
	all, err := from.Versions(ctx, id)
	if err != nil {
		return err
	}
	for _, v := range all {
		fmt.Fprintf(c.out, "version %d, until %s; then changed:\n", v.Number, v.Until.UTC().Format(time.RFC3339))
		for _, line := range v.Changed {
			fmt.Fprintf(c.out, "  %s\n", line)
		}
	}
	return nil
}

func (c *call) restoreCommand() *cobra.Command {
	var d *direct
	cmd := c.command(leaf{
		use: "restore ID VERSION", does: "give a merchant the settings of a version; keys and secrets stay",
		example: "merchants restore pens 3", args: cobra.ExactArgs(2),
		run: func(ctx context.Context, args []string) error {
			number, err := strconv.ParseInt(args[1], 10, 64)
			if err != nil {
				return misusef("%q is no version: see merchants versions", args[1])
			}
			if err := c.confirm(d.yes, "Give %s the settings of version %d", args[0], number); err != nil {
				return err
			}
			to, err := c.changeMerchants(ctx, d)
			if err != nil {
				return err
			}
			lines, err := to.Restore(ctx, args[0], number)
			if err != nil {
				return err
			}
			fmt.Fprint(c.out, app.ChangeText(args[0], lines))
			return nil
		},
	})
	c.secretsFlag(cmd)
	d = c.direct(cmd, "merchants restore", true)
	return cmd
}

func (c *call) listMerchantsCommand() *cobra.Command {
	cmd := c.command(leaf{use: "list", does: "list all merchants", example: "merchants list",
		run: func(ctx context.Context, _ []string) error { return c.listMerchants(ctx) }})
	c.tableFlag(cmd)
	return cmd
}

func (c *call) listMerchants(ctx context.Context) error {
	from, err := c.readMerchants(ctx)
	if err != nil {
		return err
	}
	all, err := from.List(ctx)
	if err != nil {
		return err
	}
	rows := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, m := range all {
		state := "enabled"
		if m.Disabled {
			state = "disabled"
		}
		fmt.Fprintf(rows, "%s\t%s\t%s\tlive key %s\ttest key %s\n", m.ID, m.Name, state, m.LiveKey, m.TestKey)
	}
	return rows.Flush()
}

func (c *call) showMerchantCommand() *cobra.Command {
	cmd := c.command(leaf{
		use: "show ID", does: "show a merchant's settings, without secrets", example: "merchants show pens",
		args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			found, err := c.findMerchant(ctx, args[0])
			if err != nil {
				return err
			}
			encoder := json.NewEncoder(c.out)
			encoder.SetIndent("", "  ")
			encoder.SetEscapeHTML(false)
			return encoder.Encode(found)
		},
	})
	c.tableFlag(cmd)
	return cmd
}

func (c *call) credentialsCommand() *cobra.Command {
	return c.command(leaf{
		use: "credentials [CONNECTOR]", does: "list the credentials that MIDs have, of one connector or of all",
		example: "merchants credentials stripe", args: cobra.MaximumNArgs(1),
		run: func(_ context.Context, args []string) error { return c.listCredentials(args) },
	})
}

// listCredentials prints what the connectors declare of their MIDs' credentials.
func (c *call) listCredentials(only []string) error {
	declared := app.Declarations()
	names := slices.Sorted(maps.Keys(declared))
	if len(only) > 0 {
		if _, known := declared[only[0]]; !known {
			return misusef("no connector %q: there are %s", only[0], strings.Join(names, ", "))
		}
		names = only
	}
	rows := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, name := range names {
		for _, credential := range declared[name].Credentials {
			fmt.Fprintf(rows, "%s\t%s\t%s\t%s\n", name, credential.Name, credential.Rule(), credential.Help)
		}
	}
	return rows.Flush()
}

func (c *call) disableCommand(disabled bool) *cobra.Command {
	var d *direct
	name, does, asked := "enable", "end that", "Take requests of %s again"
	if disabled {
		name, does, asked = "disable", "refuse all requests of a merchant", "Refuse all requests of %s"
	}
	cmd := c.command(leaf{
		use: name + " ID", does: does, example: "merchants " + name + " pens", args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			if err := c.confirm(d.yes, asked, args[0]); err != nil {
				return err
			}
			merchants, err := c.changeMerchants(ctx, d)
			if err != nil {
				return err
			}
			return merchants.SetDisabled(ctx, args[0], disabled)
		},
	})
	c.secretsFlag(cmd)
	d = c.direct(cmd, "merchants "+name, true)
	return cmd
}
