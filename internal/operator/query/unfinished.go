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
	count := func(page func(cursor string) (all []WaitingRequest, next string, err error)) error {
		for n, cursor, more := 0, "", true; more; n, more = n+1, cursor != "" {
			if n == unfinishedPages {
				least = "at least "
				return nil
			}
			all, next, err := page(cursor)
			if err != nil {
				return err
			}
			for _, r := range all {
				if a.has(r) {
					found[r.PaymentID] = true
				}
			}
			cursor = next
		}
		return nil
	}
	err := count(func(cursor string) (all []WaitingRequest, next string, err error) {
		f := Filter{Merchant: a.Merchant, Mode: string(grant.Live), Cursor: cursor}
		page, next, err := s.UnderWay(ctx, by, f)
		for _, r := range page {
			all = append(all, r.WaitingRequest)
		}
		return all, next, err
	})
	if err != nil {
		return Unfinished{}, err
	}
	err = count(func(cursor string) ([]WaitingRequest, string, error) { return s.Waiting(ctx, by, cursor) })
	if err != nil {
		return Unfinished{}, err
	}
	text := fmt.Sprintf("Live payments of it that are not finished: %s%d.", least, len(found))
	return Unfinished{len(found), text}, nil
}
