package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
)

// storedOf is what is stored of a payer.
type storedOf struct {
	Chains []string `json:"chains"`
	Open   []string `json:"open"`
	Ended  int      `json:"ended"`
	More   bool     `json:"more"`
}

func forgetCommand(c *call) *cobra.Command {
	var ch *change
	var email string
	cmd := c.command(leaf{
		use: "forget", does: "blank what is stored of a payer, in payments that have ended", args: cobra.NoArgs,
		example: `forget --email joe@pens.example --reason "asked for by letter"`,
		run: func(ctx context.Context, _ []string) error {
			return c.forget(ctx, ch, email)
		},
	})
	ch = c.changes(cmd)
	cmd.Flags().StringVar(&email, "email", "", "the payer's e-mail `ADDRESS`")
	if err := cmd.MarkFlagRequired("email"); err != nil {
		panic(err) // the flag is not there
	}
	return cmd
}

// forget says what there is, running chains first, and blanks what has ended.
func (c *call) forget(ctx context.Context, ch *change, email string) error {
	api, err := c.api(ctx)
	if err != nil {
		return err
	}
	whole, _, err := api.get(ctx, "/forget", url.Values{"email": {email}})
	if err != nil {
		return err
	}
	var seen, done storedOf
	if err := decode(whole, &seen); err != nil {
		return err
	}
	for _, kept := range []struct {
		ids  []string
		what string
	}{
		{seen.Chains, "recurring chains are still charged, and are left"},
		{seen.Open, "payments are not over, and are left"},
	} {
		if len(kept.ids) > 0 {
			fmt.Fprintf(c.out, "%d %s: %s\n", len(kept.ids), kept.what, printable(strings.Join(kept.ids, " ")))
		}
	}
	err = c.ask(ctx, ch, "/forget", settingOf{
		asked: fmt.Sprintf("Blank the payer's data in %d payments", seen.Ended), to: &done,
		body: map[string]any{"email": email, "expected": seen.Ended},
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "forgotten in %d payments\n", done.Ended)
	if done.More {
		fmt.Fprintln(c.notes, "there is more: repeat the command")
	}
	return nil
}
