package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"checkout/internal/app"
)

func auditCommands(c *call) *cobra.Command {
	return group("audit", "see who has done what, and that nobody has altered that", c.listAuditCommand(),
		c.verifyAuditCommand(), c.compareAuditCommand(), c.copyAuditCommand())
}

func (c *call) listAuditCommand() *cobra.Command {
	var o *output
	var from, until string
	cmd := c.command(leaf{
		use: "list", does: "list what people have done, and why: of 30 days, or from a day on",
		example: "audit list --from 2026-11-21",
		run: func(ctx context.Context, _ []string) error {
			values := url.Values{"from": {cmp.Or(from, time.Now().UTC().AddDate(0, 0, -30).Format(time.DateOnly))}}
			if until != "" {
				values.Set("until", until)
			}
			return c.listAudit(ctx, o, values)
		},
	})
	c.address(cmd)
	o = c.output(cmd)
	cmd.Flags().StringVar(&from, "from", "", "first `DAY` or time, such as 2026-11-23")
	cmd.Flags().StringVar(&until, "until", "", "last `DAY` or time")
	return cmd
}

// listAudit prints a line for each act, and one below it for each thing that was changed.
func (c *call) listAudit(ctx context.Context, o *output, values url.Values) error {
	api, err := c.api(ctx)
	if err != nil {
		return err
	}
	var found struct {
		Entries []json.RawMessage `json:"entries"`
	}
	if err := api.read(ctx, "/audit", values, &found); err != nil {
		return err
	}
	if !o.people() {
		return o.all(found.Entries)
	}
	for _, entry := range found.Entries {
		var e app.AuditEntry
		if err := decode(entry, &e); err != nil {
			return err
		}
		who := e.Who
		if e.By != "" {
			who += " (" + e.By + ")"
		}
		fmt.Fprintf(c.out, "%s  %s  %s  %s  %s\n", e.At.Format(time.RFC3339), printable(who), printable(e.Command),
			printable(e.What), printable(cmp.Or(e.Reason, "no reason given")))
		for _, change := range e.Changes {
			fmt.Fprintf(c.out, "  %s\n", printable(change))
		}
	}
	_, err = fmt.Fprintf(c.out, "%d changes\n", len(found.Entries))
	return err
}

func (c *call) verifyAuditCommand() *cobra.Command {
	var from string
	cmd := c.command(leaf{
		use: "verify", does: "check that no entry of the audit log was changed, removed or inserted",
		example: "audit verify --from 2026-11-01",
		run: func(ctx context.Context, _ []string) error {
			api, err := c.api(ctx)
			if err != nil {
				return err
			}
			var found struct {
				Entries int      `json:"entries"`
				Faults  []string `json:"faults"`
			}
			values := url.Values{}
			if from != "" {
				values.Set("from", from)
			}
			if err := api.read(ctx, "/audit/verify", values, &found); err != nil {
				return err
			}
			for _, fault := range found.Faults {
				fmt.Fprintln(c.out, printable(fault))
			}
			if len(found.Faults) > 0 {
				return fmt.Errorf("%d faults in %d entries", len(found.Faults), found.Entries)
			}
			_, err = fmt.Fprintf(c.out, "%d entries, none was altered\n", found.Entries)
			return err
		},
	})
	c.address(cmd)
	cmd.Flags().StringVar(&from, "from", "", "first `DAY`")
	return cmd
}
