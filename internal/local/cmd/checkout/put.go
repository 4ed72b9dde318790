package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"checkout/internal/app"
	"checkout/internal/local/notices"
)

func (c *call) putMerchantsCommand() *cobra.Command {
	var ch *change
	var o *output
	var dry bool
	cmd := c.command(leaf{
		use: "put FILE", does: "change merchants by what a JSON file names; what it leaves out stays, and null removes",
		example: `merchants put --reason "more countries" merchants.json`, args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			file, err := c.checkFile(ctx, args[0])
			if err != nil {
				return err
			}
			if dry {
				return c.printDifferences(ctx, o, file)
			}
			return c.putMerchants(ctx, ch, o, file)
		},
	})
	ch, o = c.changesSettings(cmd)
	c.baseFlag(cmd)
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only say what would change")
	cmd.Flags().Lookup("reason").Annotations = nil
	cmd.MarkFlagsOneRequired("reason", "dry-run")
	return cmd
}

func (c *call) diffMerchantsCommand() *cobra.Command {
	var o *output
	cmd := c.command(leaf{
		use: "diff FILE", does: "say what put would change, and what would follow from it, and store nothing",
		example: "merchants diff merchants.json", args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			file, err := c.checkFile(ctx, args[0])
			if err != nil {
				return err
			}
			return c.printDifferences(ctx, o, file)
		},
	})
	o = c.readsSettings(cmd)
	c.baseFlag(cmd)
	return cmd
}

func (c *call) baseFlag(cmd *cobra.Command) {
	c.setting(cmd, "base", "BASE_URL", "`URL` of the service, which takes the place of {BASE_URL} in the file")
}

// merchantsFile is a file of merchants, as the API has checked it.
type merchantsFile struct {
	api   *client
	parts []part
	at    notices.Addresses
}

// part is what a file says of a merchant.
type part struct {
	id       string
	settings json.RawMessage
	checked
}

// checkFile reads a file of merchants and has the API check each. Its error has all faults of all of them.
func (c *call) checkFile(ctx context.Context, name string) (f merchantsFile, err error) {
	list, problems, err := c.readFile(name, &f.at)
	if err != nil {
		return f, err
	}
	if f.api, err = c.api(ctx); err != nil {
		return f, err
	}
	for _, one := range list {
		p := part{id: one.ID, settings: one.Settings}
		body := map[string]any{"settings": p.settings}
		if err := f.api.send(ctx, post{path: merchantPath(p.id, "/check"), body: body}, &p.checked); err != nil {
			return f, fmt.Errorf("merchant %q: %w", p.id, err)
		}
		for _, fault := range p.Faults {
			text := strings.TrimPrefix(fault.Path+": "+fault.Text, ": ")
			problems = append(problems, fmt.Errorf("merchant %q: %s", p.id, printable(text)))
		}
		f.parts = append(f.parts, p)
	}
	return f, errors.Join(problems...)
}

// readFile reads a file of merchants, with the addresses that stand in it for those of the service and its simulator.
func (c *call) readFile(name string, at *notices.Addresses) ([]app.NamedMerchant, []error, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	at.Base = strings.TrimRight(c.env("BASE_URL"), "/")
	if at.Base == "" && bytes.Contains(text, []byte("{BASE_URL}")) {
		return nil, nil, misusef("the file speaks of {BASE_URL}: set --base or BASE_URL")
	}
	text = bytes.ReplaceAll(text, []byte("{BASE_URL}"), []byte(at.Base))
	if at.Simulator = c.simulator(); at.Simulator != "" {
		text = bytes.ReplaceAll(text, []byte("{SIMULATOR_URL}"), []byte(at.Simulator))
	}
	return app.ReadMerchants(text)
}

// simulator is the address of the simulated providers of a local run, "" for none. A variable that was left behind in
// a shell is that of no stack.
func (c *call) simulator() string {
	if c.isLocalRun() {
		return c.env("SIMULATOR_URL")
	}
	return c.file.Settings["SIMULATOR_URL"]
}

// putMerchants asks back, and changes each merchant on condition that it is as it was checked. In a repeat those that
// are stored already are as the file has them.
func (c *call) putMerchants(ctx context.Context, ch *change, o *output, file merchantsFile) error {
	if !ch.yes && c.asks {
		c.showDifferences(ctx, c.notes, file)
	}
	if err := c.confirm(ch.yes, "Change these merchants"); err != nil {
		return err
	}
	ch.begin()
	for _, p := range file.parts {
		done, err := file.publish(ctx, ch, p)
		if err == nil {
			err = c.printStored(o, done, ch.yes)
		}
		if err == nil {
			err = file.tellNotices(ctx, p)
		}
		if err != nil {
			return fmt.Errorf("merchant %q: %w", p.id, err)
		}
	}
	return nil
}

// publish changes one merchant, if anything of it changes.
func (f merchantsFile) publish(ctx context.Context, ch *change, p part) (done published, err error) {
	done = published{Version: p.Version, Changes: []app.SettingChange{}}
	if len(p.Changes) > 0 {
		body := map[string]any{"settings": p.settings, "version": p.Version, "reason": ch.reason}
		err = f.api.change(ctx, post{merchantPath(p.id, "/publish"), ch.key + "." + url.PathEscape(p.id), body}, &done)
	}
	if again := (repeatable{}); errors.As(err, &again) {
		err = repeatable{again.error, ch.key} // which those of all merchants are made of
	}
	done.Merchant = p.id
	return done, err
}

// printStored prints that a merchant is stored, and also what has changed if nobody was asked about that.
func (c *call) printStored(o *output, done published, unasked bool) error {
	if !o.people() {
		return o.lineOf(done)
	}
	if unasked {
		showChanges(c.out, done.Merchant, done.Changes)
	}
	if len(done.Changes) > 0 {
		fmt.Fprintf(c.out, "%s: stored as version %d\n", printable(done.Merchant), done.Version)
	}
	if done.Made == nil {
		return nil
	}
	return c.printKeys(*done.Made)
}

// tellNotices tells the providers of a local run where to send notices of the MIDs that a part of the file names.
func (f merchantsFile) tellNotices(ctx context.Context, p part) error {
	if f.at.Simulator == "" {
		return nil
	}
	var m app.Merchant
	if err := json.Unmarshal(p.settings, &m); err != nil {
		return fmt.Errorf("it is stored, but the simulator is not told where to send notices: %w", err)
	}
	return notices.Tell(ctx, []app.Merchant{m}, f.at)
}
