package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"checkout/internal/app"
)

var merchantCommands = []command{
	{"merchants", "new", actArgs + "[-for plugin|own] [-name NAME] [-url URL] ID",
		"adds a merchant with new keys and secrets, and prints them; asks who integrates if -for is left out", newMerchant},
	{"merchants", "put", actArgs + "[-base URL] [-dry-run] FILE",
		"changes merchants by what a JSON file names; what it leaves out stays, and null removes", putMerchants},
	{"merchants", "diff", "[-base URL] FILE", "says what put would change, and stores nothing", diffMerchants},
	{"merchants", "versions", "ID", "lists the settings that a merchant had before, and what was changed then",
		listVersions},
	{"merchants", "restore", actArgs + "ID VERSION", "gives a merchant the settings of a version; keys and secrets stay",
		restoreMerchant},
	{"merchants", "list", "", "lists all merchants", listMerchants},
	{"merchants", "show", "ID", "shows a merchant's settings, without secrets", showMerchant},
	{"merchants", "credentials", "[CONNECTOR]", "lists the credentials that MIDs have, of one connector or of all",
		listCredentials},
	{"merchants", "rotate", actArgs + "ID key|test-key|password|callback-secret [-overlap 24h] [-to VALUE]",
		"replaces a key or secret; the old one ends at once or after the overlap", rotateMerchant},
	{"merchants", "disable", actArgs + "ID", "refuses all requests of a merchant",
		func(ctx context.Context, c *call) error { return disableMerchant(ctx, c, true) }},
	{"merchants", "enable", actArgs + "ID", "ends that",
		func(ctx context.Context, c *call) error { return disableMerchant(ctx, c, false) }},
}

// openMerchants opens the merchants of the table for changes, after it has read the flags. Functions use settings that
// they have read for up to a minute more.
func (c *call) openMerchants(ctx context.Context, args int) (*app.Merchants, error) {
	key := c.flags.String("secrets-key", c.getenv("SECRETS_KEY_ID"),
		"KMS key that wraps the data keys of merchants' secrets")
	if err := c.parse(args); err != nil {
		return nil, err
	}
	if *key == "" {
		return nil, errors.New("no KMS key: set -secrets-key or SECRETS_KEY_ID")
	}
	env := map[string]string{"TABLE": *c.table, "SECRETS_KEY_ID": *key}
	return app.OpenMerchants(ctx, func(name string) string { return env[name] })
}

// readMerchants opens the merchants of the table for reading, which needs no KMS key.
func (c *call) readMerchants(ctx context.Context, args int) (*app.Merchants, error) {
	if err := c.parse(args); err != nil {
		return nil, err
	}
	return app.OpenMerchants(ctx, c.env)
}

// findMerchant returns the merchant that the first of the command's arguments names, without secrets.
func (c *call) findMerchant(ctx context.Context, args int) (app.MerchantView, error) {
	from, err := c.readMerchants(ctx, args)
	if err != nil {
		return app.MerchantView{}, err
	}
	return from.Find(ctx, c.flags.Arg(0))
}

// putMerchants changes merchants by a file, says what is other than before, and prints their names and keys.
func putMerchants(ctx context.Context, c *call) error {
	dry := c.flags.Bool("dry-run", false, "only say what would change")
	c.actFlags()
	file, err := c.openFile(ctx)
	if err != nil {
		return err
	}
	if *dry {
		return c.printDifferences(ctx, file)
	}
	if file.to.Act, err = c.act(ctx); err != nil {
		return err
	}
	stored, words, err := app.PutMerchants(ctx, file.to, file.text, file.base)
	fmt.Fprint(c.out, words)
	if err != nil {
		return err
	}
	rows := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, m := range stored {
		fmt.Fprintf(rows, "%s\tlive key %s\ttest key %s\n", m.Name, m.LiveKey, m.TestKey)
	}
	return rows.Flush()
}

// merchantsFile is a file of merchants, and where they are stored.
type merchantsFile struct {
	to   *app.Merchants
	text []byte
	base string
}

// openFile reads the flags and the file that the command names.
func (c *call) openFile(ctx context.Context) (f merchantsFile, err error) {
	base := c.flags.String("base", c.getenv("BASE_URL"),
		"URL of the service, which takes the place of {BASE_URL} in the file")
	if f.to, err = c.openMerchants(ctx, 1); err != nil {
		return f, err
	}
	if f.text, err = os.ReadFile(c.flags.Arg(0)); err != nil {
		return f, err
	}
	if *base == "" && bytes.Contains(f.text, []byte("{BASE_URL}")) {
		return f, errors.New("the file speaks of {BASE_URL}: set -base or BASE_URL")
	}
	f.base = strings.TrimRight(*base, "/")
	return f, nil
}

// diffMerchants says what putMerchants would change.
func diffMerchants(ctx context.Context, c *call) error {
	file, err := c.openFile(ctx)
	if err != nil {
		return err
	}
	return c.printDifferences(ctx, file)
}

func (c *call) printDifferences(ctx context.Context, file merchantsFile) error {
	words, err := app.DiffMerchants(ctx, file.to, file.text, file.base)
	fmt.Fprint(c.out, words)
	return err
}

// newMerchant adds a merchant that has no MID yet, and prints its keys and secrets. Nobody can read them later.
func newMerchant(ctx context.Context, c *call) error {
	integration := c.flags.String("for", "",
		"who integrates: plugin, a plugin of the protocol, or own, a program of its own")
	name := c.flags.String("name", "", "the merchant's name, which payers see; left out, its id")
	url := c.flags.String("url", "", "its notification_url, for the live and the test key")
	to, err := c.changeMerchants(ctx, 1)
	if err != nil {
		return err
	}
	if *integration == "" {
		fmt.Fprint(c.out, "Does it use a plugin of the protocol, or an integration of its own? [plugin/own] ")
		if _, err := fmt.Fscanln(c.in, integration); err != nil {
			return errors.New("no choice: answer plugin or own, or set -for")
		}
	}
	m, err := to.New(ctx, app.NewMerchant{ID: c.flags.Arg(0), Name: *name, URL: *url, For: *integration})
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

// listVersions prints the settings that a merchant had before, the latest first, with what was changed after each.
func listVersions(ctx context.Context, c *call) error {
	from, err := c.readMerchants(ctx, 1)
	if err != nil {
		return err
	}
	all, err := from.Versions(ctx, c.flags.Arg(0))
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

// restoreMerchant gives a merchant the settings of a version, and says what is other than before.
func restoreMerchant(ctx context.Context, c *call) error {
	to, err := c.changeMerchants(ctx, 2)
	if err != nil {
		return err
	}
	number, err := strconv.ParseInt(c.flags.Arg(1), 10, 64)
	if err != nil {
		return fmt.Errorf("%q is no version: see merchants versions", c.flags.Arg(1))
	}
	lines, err := to.Restore(ctx, c.flags.Arg(0), number)
	if err != nil {
		return err
	}
	fmt.Fprint(c.out, app.ChangeText(c.flags.Arg(0), lines))
	return nil
}

func listMerchants(ctx context.Context, c *call) error {
	from, err := c.readMerchants(ctx, 0)
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

func showMerchant(ctx context.Context, c *call) error {
	found, err := c.findMerchant(ctx, 1)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(c.out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(found)
}

// listCredentials prints what the connectors declare of their MIDs' credentials.
func listCredentials(_ context.Context, c *call) error {
	c.noTable = true
	if err := c.parse(0, 1); err != nil {
		return err
	}
	declared := app.Declarations()
	names := slices.Sorted(maps.Keys(declared))
	if name := c.flags.Arg(0); name != "" {
		if _, known := declared[name]; !known {
			return fmt.Errorf("no connector %q: there are %s", name, strings.Join(names, ", "))
		}
		names = []string{name}
	}
	rows := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, name := range names {
		for _, credential := range declared[name].Credentials {
			fmt.Fprintf(rows, "%s\t%s\t%s\t%s\n", name, credential.Name, credential.Rule(), credential.Help)
		}
	}
	return rows.Flush()
}

// rotateMerchant replaces a key or secret. It prints the new value only if it was generated.
func rotateMerchant(ctx context.Context, c *call) error {
	overlap := c.flags.Duration("overlap", 0, "how long the old one stays good, at most 720h")
	to := c.flags.String("to", "", "the new value; left out, a random one is made and printed")
	merchants, err := c.changeMerchants(ctx, 2)
	if err != nil {
		return err
	}
	id, what := c.flags.Arg(0), c.flags.Arg(1)
	value, err := merchants.Rotate(ctx, app.Rotation{Merchant: id, What: what, To: *to, Overlap: *overlap})
	if err != nil {
		return err
	}
	if *to == "" {
		fmt.Fprintf(c.out, "new %s of %s: %s\n", what, id, value)
	}
	if *overlap == 0 {
		fmt.Fprintln(c.out, "the old one has ended; functions that have it cached accept it for up to a minute more")
	} else {
		fmt.Fprintf(c.out, "the old one ends in %s\n", *overlap)
	}
	return nil
}

func disableMerchant(ctx context.Context, c *call, disabled bool) error {
	merchants, err := c.changeMerchants(ctx, 1)
	if err != nil {
		return err
	}
	return merchants.SetDisabled(ctx, c.flags.Arg(0), disabled)
}
