package query

import (
	"strings"
	"time"
	"unicode/utf8"

	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/listing"
)

// Row is a payment in a list, as a person may see it.
type Row struct {
	Merchant string `json:"merchant"`
	Mode     string `json:"mode"` // live or test
	ID       string `json:"id"`
	State    string `json:"state"` // in one word: the payment's status, or open, expired, cancelled for a session
	listing.Row
}

// rowFor returns a row as a person may see it. ok is false if the person may not.
func rowFor(by grant.Person, right grant.Right, r listing.Row, now time.Time) (row Row, ok bool) {
	o := ownerOf(r.Owner)
	level := by.Level(right, o)
	if level == grant.None {
		return Row{}, false
	}
	r.Seen, r.Handles, r.Lines, r.LinesHash = 0, nil, 0, ""
	if level == grant.Masked {
		r.Email = maskedEmail(r.Email)
	}
	row = Row{Merchant: o.Merchant, Mode: modeOf(o), ID: r.PaymentID, State: string(r.Status), Row: r}
	if r.Status == "" {
		row.State = string(r.Session)
		if r.Session == checkout.SessionOpen && !now.Before(r.OpenUntil) {
			row.State = string(checkout.SessionExpired)
		}
	}
	return row, true
}

func modeOf(o fault.Owner) string {
	if o.Test {
		return string(grant.Test)
	}
	return string(grant.Live)
}

// ownerOf reads the text of an owner.
func ownerOf(text string) fault.Owner {
	mode, merchant, _ := strings.Cut(text, "/")
	return fault.Owner{Merchant: merchant, Test: mode == string(grant.Test)}
}

// maskedEmail returns an e-mail address for people who may not see it: its first character and its domain.
func maskedEmail(email string) string {
	if email == "" {
		return ""
	}
	_, domain, _ := strings.Cut(email, "@")
	_, size := utf8.DecodeRuneInString(email)
	return email[:size] + "***@" + domain
}
