package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
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
			if dry {
				return c.diffMerchants(ctx, o, args[0])
			}
			return c.putMerchants(ctx, ch, o, args[0])
		},
	})
	ch, o = c.changesSettings(cmd)
	c.baseFlag(cmd)
	removeFlag(cmd, ch)
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
		run: func(ctx context.Context, args []string) error { return c.diffMerchants(ctx, o, args[0]) },
	})
	o = c.readsSettings(cmd)
	c.baseFlag(cmd)
	return cmd
}

func removeFlag(cmd *cobra.Command, ch *change) {
	cmd.Flags().StringArrayVar(&ch.remove, "remove", nil,
		"`NAME` of a mapping or MID that may go, or of a MID that may get another connector, for --yes")
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

// part is what a file says of a merchant, and what it would change.
type part struct {
	settings json.RawMessage
	edited
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
		p := part{one.Settings, edited{Merchant: one.ID}}
		if err := f.ask(ctx, p, merchantPath(one.ID, "/check"), &p.edited); err != nil {
			return f, errors.Join(append(problems, fmt.Errorf("merchant %q: %w", one.ID, err))...)
		}
		slices.SortStableFunc(p.Faults, func(a, b app.SettingFault) int { return one.Line(a) - one.Line(b) })
		for _, fault := range p.Faults {
			problems = append(problems, one.Wrong(fault))
		}
		f.parts = append(f.parts, p)
	}
	return f, errors.Join(problems...)
}

// ask asks the API about a part of the file.
func (f merchantsFile) ask(ctx context.Context, p part, path string, to any) error {
	return f.api.send(ctx, post{path: path, body: map[string]any{"settings": p.settings}}, to)
}

// preview finds what the changes would have done to the latest sessions. The table alone has no preview.
func (c *call) preview(ctx context.Context, f merchantsFile) error {
	if direct, err := c.isDirect(); direct || err != nil {
		return err
	}
	for i, p := range f.parts {
		if p.Version == 0 || len(p.Changes) == 0 {
			continue
		}
		if err := f.ask(ctx, p, "/preview/"+url.PathEscape(p.Merchant), &f.parts[i].Preview); err != nil {
			fmt.Fprintf(c.notes, "%s: what would follow is not known: %v\n", printable(p.Merchant), err)
		}
	}
	return nil
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

// diffMerchants prints what each part of a file would change.
func (c *call) diffMerchants(ctx context.Context, o *output, name string) error {
	file, err := c.checkFile(ctx, name)
	if err == nil {
		err = c.preview(ctx, file)
	}
	if err != nil {
		return err
	}
	for _, p := range file.parts {
		if o.people() {
			p.show(c.out)
		} else if err := o.lineOf(p.edited); err != nil {
			return err
		}
	}
	return nil
}

// putMerchants asks back, and changes each merchant on condition that it is as it was checked. In a repeat those that
// are stored already are as the file has them.
func (c *call) putMerchants(ctx context.Context, ch *change, o *output, name string) error {
	file, err := c.checkFile(ctx, name)
	if err != nil {
		return err
	}
	if !ch.yes && c.asks {
		if err := c.preview(ctx, file); err != nil {
			return err
		}
		for _, p := range file.parts {
			p.show(c.notes)
		}
	}
	var removed []removal
	for _, p := range file.parts {
		removed = append(removed, removalsOf(p.edited)...)
	}
	asked, err := c.confirmRemovals(ctx, file.api, removed, ch)
	if err != nil {
		return err
	}
	if err := c.confirm(ch.yes || asked, "Change these merchants"); err != nil {
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
			return fmt.Errorf("merchant %q: %w", p.Merchant, err)
		}
	}
	return nil
}

// publish changes one merchant, if anything of it changes.
func (f merchantsFile) publish(ctx context.Context, ch *change, p part) (edited, error) {
	done := edited{Merchant: p.Merchant, Version: p.Version, Changes: []app.SettingChange{}}
	if len(p.Changes) == 0 {
		return done, nil
	}
	body := map[string]any{"settings": p.settings, "version": p.Version, "reason": ch.reason}
	if len(p.Removed) > 0 {
		body["remove"] = namesOf(p.Removed)
	}
	key := ch.key + "." + url.PathEscape(p.Merchant)
	err := f.api.change(ctx, post{merchantPath(p.Merchant, "/publish"), key, body}, &done)
	if again := (repeatable{}); errors.As(err, &again) {
		err = repeatable{again.error, ch.key} // of which those of all merchants are made
	}
	return done, err
}

// printStored prints that a merchant is stored, and also what has changed if nobody was asked about that.
func (c *call) printStored(o *output, done edited, unasked bool) error {
	if !o.people() {
		return o.lineOf(done)
	}
	if unasked {
		done.show(c.out)
	}
	if len(done.Changes) > 0 {
		fmt.Fprintf(c.out, "%s: stored as version %d\n", printable(done.Merchant), done.Version)
	}
	if done.Made == nil {
		return nil
	}
	return done.Made.print(c.out)
}

// tellNotices tells the providers of a local run where to send notices of the MIDs that a part of the file names.
func (f merchantsFile) tellNotices(ctx context.Context, p part) error {
	if f.at.Simulator == "" {
		return nil
	}
	var named map[string]any
	var m app.Merchant
	err := json.Unmarshal(p.settings, &named)
	mappings := inList(named["mappings"])
	for _, one := range mappings {
		if mapping, is := one.(map[string]any); is {
			mapping["mids"] = inList(mapping["mids"])
		}
	}
	if err == nil {
		named["mappings"] = mappings
		text, _ := json.Marshal(named) // can't fail: it was read from JSON
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		return fmt.Errorf("it is stored, but the simulator is not told where to send notices: %w", err)
	}
	return notices.Tell(ctx, []app.Merchant{m}, f.at)
}

// inList returns what a file has as a list or as an object by name, as a list.
func inList(items any) []any {
	list, _ := items.([]any)
	byName, _ := items.(map[string]any)
	for name, item := range byName {
		if of, is := item.(map[string]any); is {
			of["name"] = name
			list = append(list, of)
		}
	}
	return list
}
