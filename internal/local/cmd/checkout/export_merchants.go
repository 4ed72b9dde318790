package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
)

func (c *call) exportMerchantsCommand() *cobra.Command {
	cmd := c.command(leaf{
		use: "export [ID...]", does: "print merchants as a file of put, without secrets; without ids all that you may see",
		example: "merchants export pens", args: cobra.ArbitraryArgs,
		run: func(ctx context.Context, args []string) error { return c.exportMerchants(ctx, args) },
	})
	c.address(cmd)
	c.directFlags(cmd)
	return cmd
}

func (c *call) exportMerchants(ctx context.Context, ids []string) error {
	api, err := c.api(ctx)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		var all struct {
			Merchants []struct {
				ID string `json:"id"`
			} `json:"merchants"`
		}
		if err := api.read(ctx, "/merchants", nil, &all); err != nil {
			return err
		}
		for _, m := range all.Merchants {
			ids = append(ids, m.ID)
		}
	}
	list := make([][]byte, len(ids))
	for i, id := range ids {
		whole, _, err := api.get(ctx, merchantPath(id, ""), nil)
		if err != nil {
			return fmt.Errorf("merchant %q: %w", id, err)
		}
		list[i] = member(whole, "settings")
	}
	return c.printIndented(slices.Concat([]byte("["), bytes.Join(list, []byte(",")), []byte("]")))
}
