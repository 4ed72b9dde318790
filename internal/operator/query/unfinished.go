package query

import (
	"context"
	"fmt"

	"checkout/internal/fault"
	"checkout/internal/operator/grant"
)

// Unfinished is how many live payments have requests that are not decided to the provider of a MID, or of any MID of a
// mapping.
type Unfinished struct {
	Payments int    `json:"payments"`
	Text     string `json:"text"` // for whoever is about to remove the MID
}

// Account is a MID of a mapping of a merchant, or all of the mapping if it has no name.
type Account struct {
	Merchant, Mapping, MID string
}

func (a Account) has(r WaitingRequest) bool {
	return r.Owner == (fault.Owner{Merchant: a.Merchant}) && r.mapping == a.Mapping && (r.MID == a.MID || a.MID == "")
}

// unfinishedPages is how many pages are read to count, each of what is under way and of what waits.
const unfinishedPages = 20

// Unfinished counts live payments of an account that are not finished. Errors: CodeNotFound for a merchant whose live
// payments the person may not see.
func (s *Reader) Unfinished(ctx context.Context, by grant.Person, a Account) (Unfinished, error) {
	if by.Level(grant.Find, fault.Owner{Merchant: a.Merchant}) == grant.None {
		return Unfinished{}, fault.Refuse(fault.CodeNotFound, "Merchant does not exist")
	}
	found, least := map[string]bool{}, ""
	count := func(all ...WaitingRequest) {
		for _, r := range all {
			if a.has(r) {
				found[r.PaymentID] = true
			}
		}
	}
	f := Filter{Merchant: a.Merchant, Mode: string(grant.Live)}
	for n, next := 0, true; next; n, next = n+1, f.Cursor != "" {
		if n == unfinishedPages {
			least = "at least "
			break
		}
		page, cursor, err := s.UnderWay(ctx, by, f)
		if err != nil {
			return Unfinished{}, err
		}
		for _, r := range page {
			count(r.WaitingRequest)
		}
		f.Cursor = cursor
	}
	cursor := ""
	for n, next := 0, true; next; n, next = n+1, cursor != "" {
		if n == unfinishedPages {
			least = "at least "
			break
		}
		page, after, err := s.Waiting(ctx, by, cursor)
		if err != nil {
			return Unfinished{}, err
		}
		count(page...)
		cursor = after
	}
	text := fmt.Sprintf("Live payments of it that are not finished: %s%d.", least, len(found))
	return Unfinished{len(found), text}, nil
}
