package main

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/spf13/cobra"
)

// readsSettings adds the flags of a command that reads what is set for merchants.
func (c *call) readsSettings(cmd *cobra.Command) *output {
	c.address(cmd)
	c.directFlags(cmd)
	return c.output(cmd)
}

// changesSettings adds the flags of a command that changes what is set for merchants.
func (c *call) changesSettings(cmd *cobra.Command) (*change, *output) {
	ch := c.changes(cmd)
	c.directFlags(cmd)
	return ch, c.output(cmd)
}

// merchantPath is the path of a request about a merchant.
func merchantPath(id, what string) string { return "/merchants/" + url.PathEscape(id) + what }

// readMerchant reads a merchant without secrets.
func (c *call) readMerchant(ctx context.Context, id string) (json.RawMessage, error) {
	api, err := c.api(ctx)
	if err != nil {
		return nil, err
	}
	whole, _, err := api.get(ctx, merchantPath(id, ""), nil)
	return whole, err
}
