package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"checkout/internal/app"
)

func merchantCommands(c *call) *cobra.Command {
	list := c.plainListCommand(leaf{use: "list", does: "list all merchants", example: "merchants list"},
		list{"/merchants", "merchants", false, []string{"id", "name", "disabled", "live_key", "test_key"}})
	c.directFlags(list)
	return group("merchants", "set merchants up",
		c.newMerchantCommand(), c.putMerchantsCommand(), c.diffMerchantsCommand(), c.exportMerchantsCommand(),
		c.versionsCommand(), c.restoreCommand(), list, c.showMerchantCommand(), c.credentialsCommand(), c.rotateCommand(),
		c.disableCommand(true), c.disableCommand(false))
}

// printIndented prints JSON with its members in their order, for people.
func (c *call) printIndented(value []byte) error {
	var text bytes.Buffer
	if err := json.Indent(&text, value, "", "  "); err != nil {
		return err
	}
	_, err := fmt.Fprintln(c.out, strings.TrimSpace(text.String()))
	return err
}

func (c *call) versionsCommand() *cobra.Command {
	var o *output
	cmd := c.command(leaf{
		use: "versions ID", does: "list the settings that a merchant had before, and what was changed then",
		example: "merchants versions pens", args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error { return c.listVersions(ctx, o, args[0]) },
	})
	o = c.readsSettings(cmd)
	return cmd
}

// listVersions prints the settings that a merchant had before, the latest first, with what was changed after each.
func (c *call) listVersions(ctx context.Context, o *output, id string) error {
	api, err := c.api(ctx)
	if err != nil {
		return err
	}
	var all struct {
		Versions []json.RawMessage `json:"versions"`
	}
	if err := api.read(ctx, merchantPath(id, "/versions"), nil, &all); err != nil {
		return err
	}
	o.show = c.showVersion
	return o.all(all.Versions)
}

func (c *call) showVersion(version json.RawMessage) error {
	var v edited
	if err := decode(version, &v); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "version %d, until %s; then changed:\n", v.Version, text(member(version, "until")))
	for _, change := range v.Changes {
		fmt.Fprintf(c.out, "  %s\n", printable(change.String()))
	}
	for _, one := range v.Restorable {
		fmt.Fprintf(c.out, "  now: %s\n", printable(one.String()))
	}
	return nil
}

func (c *call) restoreCommand() *cobra.Command {
	var ch *change
	var o *output
	cmd := c.command(leaf{
		use:     "restore ID VERSION",
		does:    "give a merchant the settings of a version; a MID that went comes back with its secrets for 30 days",
		example: `merchants restore --reason "the new MID declines" pens 3`, args: cobra.ExactArgs(2),
		run: func(ctx context.Context, args []string) error {
			number, err := strconv.ParseInt(args[1], 10, 64)
			if err != nil {
				return misusef("%q is no version: see merchants versions", args[1])
			}
			return c.restoreMerchant(ctx, ch, o, edited{Merchant: args[0], Version: number})
		},
	})
	ch, o = c.changesSettings(cmd)
	removeFlag(cmd, ch)
	return cmd
}

// restoreMerchant asks back for what the version lacks, and gives a merchant its settings.
func (c *call) restoreMerchant(ctx context.Context, ch *change, o *output, was edited) error {
	api, err := c.api(ctx)
	if err != nil {
		return err
	}
	var all struct {
		Versions []edited `json:"versions"`
	}
	if err := api.read(ctx, merchantPath(was.Merchant, "/versions"), nil, &all); err != nil {
		return err
	}
	for _, one := range all.Versions {
		if one.Version == was.Version {
			was.Removed, was.Restorable = one.Removed, one.Restorable
		}
	}
	for _, one := range was.Restorable {
		fmt.Fprintln(c.notes, printable(was.Merchant+": "+one.String()))
	}
	asked, err := c.confirmRemovals(ctx, api, removalsOf(was), ch)
	if err != nil {
		return err
	}
	s := settingOf{body: map[string]any{"version": was.Version}}
	if !asked {
		s.asked = fmt.Sprintf("Give %s the settings of version %d", printable(was.Merchant), was.Version)
	}
	if len(was.Removed) > 0 {
		s.body["remove"] = namesOf(was.Removed)
	}
	done := edited{Merchant: was.Merchant}
	s.to = &done
	if err := c.ask(ctx, ch, merchantPath(was.Merchant, "/restore"), s); err != nil {
		return err
	}
	if !o.people() {
		return o.lineOf(done)
	}
	done.show(c.out)
	return nil
}

func (c *call) showMerchantCommand() *cobra.Command {
	var o *output
	cmd := c.command(leaf{
		use: "show ID", does: "show a merchant's settings, without secrets", example: "merchants show pens",
		args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			whole, err := c.readMerchant(ctx, args[0])
			if err != nil {
				return err
			}
			if !o.people() {
				return o.line(whole)
			}
			return c.printIndented(whole)
		},
	})
	o = c.readsSettings(cmd)
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
	var ch *change
	name, does, asked := "enable", "end that", "Take requests of %s again"
	if disabled {
		name, does, asked = "disable", "refuse all requests of a merchant", "Refuse all requests of %s"
	}
	cmd := c.command(leaf{
		use: name + " ID", does: does, example: "merchants " + name + " --reason TEXT pens", args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			return c.ask(ctx, ch, merchantPath(args[0], "/"+name), settingOf{
				asked: fmt.Sprintf(asked, printable(args[0])), body: map[string]any{},
			})
		},
	})
	ch = c.changes(cmd)
	c.directFlags(cmd)
	return cmd
}
