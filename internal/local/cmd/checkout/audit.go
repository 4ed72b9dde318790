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
		c.verifyAuditCommand())
}

func (c *call) listAuditCommand() *cobra.Command {
	var o *output
	var p *pages
	var from, until string
	cmd := c.command(leaf{
		use: "list", does: "list what people have done, and why, the latest first", example: "audit list --from 2026-11-21",
		run: func(ctx context.Context, _ []string) error {
			values := url.Values{}
			for name, value := range map[string]string{"from": from, "until": until} {
				if value != "" {
					values.Set(name, value)
				}
			}
			_, err := list{path: "/audit", member: "entries", limits: true}.read(ctx, o, p, values)
			return err
		},
	})
	c.address(cmd)
	o, p = c.output(cmd), paged(cmd)
	o.show = c.showEntry
	cmd.Flags().StringVar(&from, "from", "", "first `DAY` or time, such as 2026-11-23")
	cmd.Flags().StringVar(&until, "until", "", "last `DAY` or time")
	return cmd
}

// showEntry prints a line for an act, and one below it for each thing that was changed.
func (c *call) showEntry(entry json.RawMessage) error {
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
	return nil
}

func (c *call) verifyAuditCommand() *cobra.Command {
	var from string
	cmd := c.command(leaf{use: "verify", example: "audit verify --from 2026-11-01",
		does: "check that no entry of the audit log was changed, removed or added, by its locked copies",
		run: func(ctx context.Context, _ []string) error {
			since, err := parseTime(from)
			if err != nil {
				return err
			}
			return c.verifyAudit(ctx, since)
		}})
	c.address(cmd)
	c.tableFlag(cmd)
	c.setting(cmd, "bucket", "AUDIT_BUCKET", "`NAME` of the bucket with the copies")
	cmd.Flags().StringVar(&from, "from", "", "first `DAY` or time, such as 2026-11-23")
	return cmd
}

// verifyAudit prints a line for every fault, and fails if there is any, or if nothing could be compared.
func (c *call) verifyAudit(ctx context.Context, since time.Time) error {
	found, err := c.verifyByParts(ctx, since)
	if err == nil && !found.compared {
		var own verified
		own, err = c.compareAudit(ctx, since)
		found = verified{entries: own.entries, faults: found.faults + own.faults}
	}
	switch {
	case err != nil:
		return err
	case found.faults > 0:
		return fmt.Errorf("%d faults in %d entries", found.faults, found.entries)
	}
	_, err = fmt.Fprintf(c.out, "%d entries, none was altered\n", found.entries)
	return err
}

// verified is what was found in the whole log.
type verified struct {
	entries, faults int
	compared        bool // with the locked copies, in each part
}

// verifyByParts lets the API check the log part by part, and prints a line for every fault.
func (c *call) verifyByParts(ctx context.Context, since time.Time) (verified, error) {
	api, err := c.api(ctx)
	if err != nil {
		return verified{}, err
	}
	values := url.Values{}
	if !since.IsZero() {
		values.Set("from", since.Format(time.RFC3339Nano))
	}
	for all := (verified{compared: true}); ; {
		var found struct {
			Entries int      `json:"entries"`
			Faults  []string `json:"faults"`
			Copies  string   `json:"copies"`
			Cursor  string   `json:"cursor"`
		}
		if err := api.read(ctx, "/audit/verify", values, &found); err != nil {
			return all, err
		}
		for _, fault := range found.Faults {
			fmt.Fprintln(c.out, printable(fault))
		}
		all.entries, all.faults = all.entries+found.Entries, all.faults+len(found.Faults)
		all.compared = all.compared && found.Copies == "compared"
		if found.Cursor == "" {
			return all, nil
		}
		values.Set("cursor", found.Cursor)
	}
}
