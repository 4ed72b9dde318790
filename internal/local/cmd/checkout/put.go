package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"checkout/internal/app"
	"checkout/internal/local/notices"
)

func (c *call) putMerchantsCommand() *cobra.Command {
	var d *direct
	var dry bool
	cmd := c.command(leaf{
		use: "put FILE", does: "change merchants by what a JSON file names; what it leaves out stays, and null removes",
		example: "merchants put merchants.json", args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			file, err := c.openFile(ctx, args[0])
			if err != nil {
				return err
			}
			if dry {
				return c.printDifferences(ctx, file)
			}
			return c.putMerchants(ctx, d, file)
		},
	})
	c.fileFlags(cmd)
	d = c.direct(cmd, "merchants put", true)
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only say what would change")
	return cmd
}

func (c *call) diffMerchantsCommand() *cobra.Command {
	cmd := c.command(leaf{
		use: "diff FILE", does: "say what put would change, and store nothing", example: "merchants diff merchants.json",
		args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			file, err := c.openFile(ctx, args[0])
			if err != nil {
				return err
			}
			return c.printDifferences(ctx, file)
		},
	})
	c.fileFlags(cmd)
	return cmd
}

// merchantsFile is a file of merchants, and where they are stored.
type merchantsFile struct {
	to   *app.Merchants
	text []byte
	base string

	simulator string // address of the providers of a local run; "": none
}

func (c *call) fileFlags(cmd *cobra.Command) {
	c.secretsFlag(cmd)
	c.setting(cmd, "base", "BASE_URL", "`URL` of the service, which takes the place of {BASE_URL} in the file")
}

// openFile reads a file of merchants.
func (c *call) openFile(ctx context.Context, name string) (f merchantsFile, err error) {
	if f.to, err = c.openMerchants(ctx); err != nil {
		return f, err
	}
	if f.text, err = os.ReadFile(name); err != nil {
		return f, err
	}
	f.base = strings.TrimRight(c.env("BASE_URL"), "/")
	if f.base == "" && bytes.Contains(f.text, []byte("{BASE_URL}")) {
		return f, misusef("the file speaks of {BASE_URL}: set --base or BASE_URL")
	}
	if c.isEmbedded() || c.isLocalRun() {
		f.simulator = c.env("SIMULATOR_URL")
		f.text = bytes.ReplaceAll(f.text, []byte("{SIMULATOR_URL}"), []byte(f.simulator))
	}
	return f, nil
}

func (c *call) printDifferences(ctx context.Context, file merchantsFile) error {
	words, err := app.DiffMerchants(ctx, file.to, file.text, file.base)
	fmt.Fprint(c.out, words)
	return err
}

// putMerchants changes merchants by a file, says what is other than before, and prints their names and keys.
func (c *call) putMerchants(ctx context.Context, d *direct, file merchantsFile) (err error) {
	if !d.yes && c.asks {
		if err := c.printDifferences(ctx, file); err != nil {
			return err
		}
	}
	if err := c.confirm(d.yes, "Change these merchants"); err != nil {
		return err
	}
	if file.to.Act, err = d.act(ctx); err != nil {
		return err
	}
	stored, words, err := app.PutMerchants(ctx, file.to, file.text, file.base)
	if d.yes || err != nil {
		fmt.Fprint(c.out, words)
	}
	if err != nil {
		return err
	}
	if err := notices.Tell(ctx, stored, notices.Addresses{Base: file.base, Simulator: file.simulator}); err != nil {
		return err
	}
	rows := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, m := range stored {
		fmt.Fprintf(rows, "%s\tlive key %s\ttest key %s\n", m.Name, m.LiveKey, m.TestKey)
	}
	return rows.Flush()
}
