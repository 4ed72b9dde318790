package main

import (
	"bufio"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// removal is a mapping or a MID that a change removes, or a MID that gets another connector.
type removal struct {
	merchant string

	Place   string `json:"place"`
	Name    string `json:"name"`
	Mapping string `json:"mapping"`
	MID     string `json:"mid,omitempty"`
	Text    string `json:"text"` // what it means
}

// removalsOf returns what a change of a merchant removes.
func removalsOf(e edited) []removal {
	all := slices.Clone(e.Removed)
	for i := range all {
		all[i].merchant = e.Merchant
	}
	return all
}

// namesOf returns what a request calls removals that were confirmed.
func namesOf(all []removal) []string {
	names := make([]string, len(all))
	for i, r := range all {
		names[i] = r.Name
	}
	return names
}

// confirmRemovals asks for the name of each mapping and MID that a change removes. Where nobody can be asked, the names
// have to be said beside yes. It returns whether a person was asked.
func (c *call) confirmRemovals(ctx context.Context, api *client, all []removal, ch *change) (asked bool, err error) {
	lines := bufio.NewReader(c.in)
	for _, r := range all {
		if slices.Contains(ch.remove, r.Name) {
			continue
		}
		fmt.Fprintln(c.notes, printable(r.merchant+": "+r.Text+" "+c.unfinished(ctx, api, r)))
		if ch.yes || !c.asks {
			return false, misusef("%s: confirm %s: say --remove %s", r.merchant, r.Place, r.Name)
		}
		fmt.Fprintf(c.notes, "Type its name to confirm that%s: ", c.where())
		if reply, err := lines.ReadString('\n'); err != nil || strings.TrimSpace(reply) != r.Name {
			return true, errNo
		}
		asked = true
	}
	return asked, nil
}

// unfinished says how many live payments have requests to the provider that are not decided.
func (c *call) unfinished(ctx context.Context, api *client, r removal) string {
	if direct, err := c.isDirect(); direct || err != nil {
		return "How many payments are not finished is not known without an admin API."
	}
	values := url.Values{"mapping": {r.Mapping}}
	if r.MID != "" {
		values.Set("mid", r.MID)
	}
	var found struct {
		Text string `json:"text"`
	}
	if err := api.read(ctx, "/unfinished/"+url.PathEscape(r.merchant), values, &found); err != nil {
		return fmt.Sprintf("How many payments are not finished is not known: %v", err)
	}
	return found.Text
}
