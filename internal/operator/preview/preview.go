// Package preview says what a change of a merchant's settings would have done to the sessions of its last days, before
// it counts. It reads what is stored and changes nothing.
//
// A stored request is routed as the creation of a session and the page route it, by package routing. Circuit breakers
// are left out: they change by the minute, and say nothing of settings. So are settings by which a request is refused
// for what is in it or for an earlier payment, and what is not stored of a request: a wallet's token that the merchant
// sent, and methods that the merchant did not have then. Requests that were refused are not stored either. So a session
// gains methods only if the settings have changed since it was made.
package preview

import (
	"context"
	"time"

	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/settings"
)

// Previewer says what changes of settings would have done. New makes one.
type Previewer struct {
	docs Documents
	now  func() time.Time
}

// New makes a previewer.
func New(docs Documents, now func() time.Time) Previewer { return Previewer{docs, now} }

// Preview evaluates the latest sessions of a merchant, up to 2,000 of the last seven days in live or test mode, or else
// both, by its settings and by a draft of others. Both settings need their Connectors, and no secrets. The listing may
// not have sessions of the last seconds yet.
func (p Previewer) Preview(ctx context.Context, before, after settings.Merchant, mode grant.Mode) (Result, error) {
	now := p.now()
	f := finder{docs: p.docs, now: now, from: now.Add(-searched), seen: map[string]bool{}, unreadable: map[string]bool{}}
	if mode != grant.Test {
		f.owners = append(f.owners, fault.Owner{Merchant: before.ID}.Text())
	}
	if mode != grant.Live {
		f.owners = append(f.owners, fault.Owner{Merchant: before.ID, Test: true}.Text())
	}
	if err := f.find(ctx); err != nil {
		return Result{}, err
	}
	before, after = before.Clone(), after.Clone() // they may be in use elsewhere
	before.NoteEnded(now)
	after.NoteEnded(now)
	r := result(newDraft(&before, &after, f.sessions))
	r.From, r.Until, r.Unreadable = f.from.UTC(), now.UTC(), len(f.unreadable)
	return r, nil
}

// result returns what a draft changes, and what is hardly meant in it.
func result(d draft) Result {
	return Result{
		Sessions:      len(d.sessions),
		OtherMethods:  d.change(compared.otherMethods),
		OtherFirstMID: d.change(compared.otherFirstMID),
		None:          d.change(compared.none),
		Gained:        d.change(compared.gained),
		Shares:        d.shares(),
		Warnings:      d.warnings(),
	}
}
