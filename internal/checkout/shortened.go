package checkout

import (
	"cmp"
	"slices"
	"time"
)

// shortened is the session as it is stored.
func (s *Session) shortened() *Session {
	short := *s
	if short.MaxDeclines == DefaultMaxDeclines {
		short.MaxDeclines = 0
	}
	return &short
}

// Complete implements Shortened.
func (s *Session) Complete(r Record) (err error) {
	if s.MaxDeclines == 0 {
		s.MaxDeclines = DefaultMaxDeclines
	}
	s.ID, err = sessionID(r.Key)
	return err
}

// shortened is the payment as it is stored, due at that time: without what Complete knows.
func (p *Payment) shortened(due time.Time) *Payment {
	short := *p
	if short.ChangedAt.Equal(short.CreatedAt) {
		short.ChangedAt = time.Time{}
	}
	short.Jobs = slices.Clone(p.Jobs)
	for i := range short.Jobs {
		if short.Jobs[i].Reference == p.ID {
			short.Jobs[i].Reference = ""
		}
		if short.Jobs[i].DueAt.Equal(due) {
			short.Jobs[i].DueAt = time.Time{}
		}
	}
	return &short
}

// Complete implements Shortened.
func (p *Payment) Complete(r Record) error {
	if p.ChangedAt.IsZero() {
		p.ChangedAt = p.CreatedAt
	}
	for i := range p.Jobs {
		p.Jobs[i].Reference = cmp.Or(p.Jobs[i].Reference, p.ID)
		if p.Jobs[i].DueAt.IsZero() {
			p.Jobs[i].DueAt = r.DueAt
		}
	}
	return nil
}

// shortened is the callback as it is stored.
func (c *Callback) shortened() *Callback {
	short := *c
	short.Fields = c.Fields[1:] // the first is the payment's id
	if short.NextAt.Equal(short.CreatedAt) {
		short.NextAt = time.Time{}
	}
	return &short
}

// Complete implements Shortened.
func (c *Callback) Complete(r Record) (err error) {
	if c.NextAt.IsZero() {
		c.NextAt = c.CreatedAt
	}
	c.PaymentID, c.Seq, err = callbackOf(r.Key)
	c.ID = webhookID(c.PaymentID, c.Seq)
	c.Fields = append(callbackFields{{"id", c.PaymentID}}, c.Fields...)
	return err
}
