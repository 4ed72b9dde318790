package main

import (
	"bufio"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// removal is a mapping or a MID that a file removes, with the credentials that go for good.
type removal struct {
	Place       string   `json:"place"`
	Name        string   `json:"name"`
	MIDs        []string `json:"mids"`
	Credentials []string `json:"credentials"`
}

// confirmRemovals asks for the name of each mapping and MID that a file removes. Where nobody can be asked, the names
// have to be said beside yes. It returns whether a person was asked.
func (c *call) confirmRemovals(ctx context.Context, f merchantsFile, ch *change) (asked bool, err error) {
	lines := bufio.NewReader(c.in)
	for _, p := range f.parts {
		for _, r := range p.Removed {
			if slices.Contains(ch.remove, r.Name) {
				continue
			}
			fmt.Fprintln(c.notes, printable(p.Merchant+": "+r.means(c.unfinished(ctx, f.api, p.Merchant, r))))
			if ch.yes || !c.asks {
				return false, misusef("%s: %s would go: say --remove %s", p.Merchant, r.Place, r.Name)
			}
			fmt.Fprintf(c.notes, "Type its name to remove it%s: ", c.where())
			if reply, err := lines.ReadString('\n'); err != nil || strings.TrimSpace(reply) != r.Name {
				return true, errNo
			}
			asked = true
		}
	}
	return asked, nil
}

// means says what a removal means.
func (r removal) means(unfinished string) string {
	text := r.Place + " goes"
	if len(r.Credentials) > 0 {
		text += ", and for good " + strings.Join(r.Credentials, ", ")
	}
	return text + ". " + unfinished
}

// unfinished says how many live payments have requests to the provider of a MID that are not decided. MIDs of two
// mappings with the same name are counted together.
func (c *call) unfinished(ctx context.Context, api *client, merchant string, r removal) string {
	if direct, err := c.isDirect(); direct || err != nil {
		return "How many payments are not finished is not known without an admin API."
	}
	found := map[string]bool{}
	for _, path := range []string{"/under-way", "/waiting"} {
		values := url.Values{}
		if path == "/under-way" {
			values = url.Values{"merchant": {merchant}, "mode": {mode(true)}}
		}
		for next := true; next; next = values.Get("cursor") != "" {
			var page struct {
				Requests []struct {
					Payment  string `json:"payment_id"`
					Merchant string `json:"merchant"`
					Mode     string `json:"mode"`
					MID      string `json:"mid"`
				} `json:"requests"`
				Cursor string `json:"cursor"`
			}
			if err := api.read(ctx, path, values, &page); err != nil {
				return fmt.Sprintf("How many payments are not finished is not known: %v", err)
			}
			for _, one := range page.Requests {
				if one.Merchant == merchant && one.Mode == mode(true) && slices.Contains(r.MIDs, one.MID) {
					found[one.Payment] = true
				}
			}
			values.Set("cursor", page.Cursor)
		}
	}
	return fmt.Sprintf("Live payments of it that are not finished: %d.", len(found))
}
