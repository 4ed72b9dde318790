package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"

	"github.com/spf13/cobra"
)

func exportCommand(c *call) *cobra.Command {
	var q *query
	var format, name string
	cmd := c.command(leaf{
		use: "export", does: "export transactions, those that totals sums up; the audit log tells of it",
		example: "export --live --from 2026-11-01 --until 2026-11-30 --out november.csv",
		run: func(ctx context.Context, _ []string) error {
			values := q.values()
			values.Set("format", format)
			if name == "" {
				return c.export(ctx, values, c.out)
			}
			file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			if err != nil {
				return err
			}
			if err := c.export(ctx, values, file); err != nil {
				file.Close()
				return fmt.Errorf("%w\n%s is not complete", err, name)
			}
			return file.Close()
		},
	})
	c.address(cmd)
	q = filtered(cmd)
	cmd.Flags().StringVar(&format, "format", "csv", "csv or jsonl")
	cmd.Flags().StringVar(&name, "out", "", "`FILE` to write, which must not be there yet")
	choices(cmd, "format", "csv", "jsonl")
	return cmd
}

// export writes all pages of an export. Each page of CSV begins with the same line of names, of which one is enough.
func (c *call) export(ctx context.Context, values url.Values, to io.Writer) error {
	api, err := c.api(ctx)
	if err != nil {
		return err
	}
	var names []byte
	for {
		page, header, err := api.get(ctx, "/export", values)
		if err != nil {
			return err
		}
		if first, _, _ := bytes.Cut(page, []byte("\n")); names == nil {
			names = first
		} else if values.Get("format") == "csv" && bytes.Equal(first, names) {
			page = page[min(len(first)+1, len(page)):]
		}
		if _, err := to.Write(page); err != nil {
			return err
		}
		next := header.Get("X-Next-Cursor")
		if next == "" {
			return nil
		}
		values.Set("cursor", next)
	}
}
