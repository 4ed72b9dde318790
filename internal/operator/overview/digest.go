package overview

import (
	"context"
	"fmt"

	"checkout/internal/checkout"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/query"
)

// Digest returns the items of an overview of all live payments in words, a line for each of which there is something,
// after one with the stack and the time. It names nobody.
func Digest(ctx context.Context, core *checkout.Core) ([]string, error) {
	by := grant.Person{Grants: []grant.Grant{
		{Role: grant.Viewer, Merchants: []string{grant.AllMerchants}, Mode: grant.Live},
	}}
	all, err := Of(ctx, core, by, query.Filter{Mode: string(grant.Live)})
	if err != nil {
		return nil, err
	}
	lines := []string{core.Stack + ", " + all.At.Format("2 January 2006 15:04 UTC")}
	for _, i := range all.Items {
		if i.Count > 0 || i.More {
			lines = append(lines, i.line())
		}
	}
	if len(lines) == 1 {
		lines = append(lines, "Nothing waits, and nothing fails.")
	}
	return lines, nil
}

// line is an item in words.
func (i Item) line() string {
	text := fmt.Sprintf("%s: %d", i.Label, i.Count)
	if i.More {
		text = fmt.Sprintf("%s: at least %d", i.Label, i.Count)
	}
	if !i.Oldest.IsZero() {
		text += ", the oldest since " + i.Oldest.UTC().Format("2 January 15:04 UTC")
	}
	return text
}
