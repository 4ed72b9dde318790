package listing

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/sums"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// entry is all that is listed of a payment, or of a session that nobody has tried to pay yet.
type entry struct {
	Row
	record store.Record   // of the row
	lines  []store.Record // of the journal, in their order
	finds  []store.Record // in the order of Row.Handles
	active []store.Record // of each day of its row and lines
	uses   uses           // of the merchant's secrets
	used   []store.Record // the same, once it is complete
}

// RowsOf returns the rows of an order at a time, made of all documents of its partition.
func RowsOf(records []store.Record, now time.Time) ([]Row, error) {
	const ever = 100 * 365 * 24 * time.Hour
	entries, err := entriesOf(records, now, ever)
	rows := make([]Row, len(entries))
	for i, e := range entries {
		rows[i] = e.Row
	}
	return rows, err
}

// entriesOf returns what is listed of an order at a time, made of all documents of its partition. A row expires with
// its payment or session, and everything at the latest when it is as old as ttl.
func entriesOf(records []store.Record, now time.Time, ttl time.Duration) ([]entry, error) {
	payments := map[string]bool{} // by session id
	callbacks := map[string]callbacksOf{}
	var all []entry
	for pass, take := range []func(store.Record) (*entry, error){
		func(r store.Record) (*entry, error) { return nil, addCallback(callbacks, r) },
		func(r store.Record) (*entry, error) { return paymentEntry(r, callbacks, payments) },
		func(r store.Record) (*entry, error) { return sessionEntry(r, now, payments) },
	} {
		for _, r := range records {
			if expired(r, now) || kindOf(r.Key) != pass {
				continue
			}
			e, err := take(r)
			if err != nil {
				return nil, err
			}
			if e == nil {
				continue
			}
			if err := e.complete(now, ttl); err != nil {
				return nil, err
			}
			if !expired(e.record, now) {
				all = append(all, *e)
			}
		}
	}
	return all, nil
}

// kindOf returns in which pass a document is read, -1 for none.
func kindOf(key store.Key) int {
	switch {
	case strings.HasPrefix(key.Sort, "callback/"):
		return 0
	case store.IsPayment(key):
		return 1
	case store.IsSession(key):
		return 2
	}
	return -1
}

func expired(r store.Record, now time.Time) bool {
	return !r.ExpiresAt.IsZero() && !now.Before(r.ExpiresAt)
}

// callbacksOf is what rows show of the callbacks of a payment.
type callbacksOf struct {
	worst  callback.State
	seen   int64
	causes []string
	tried  time.Time // the latest of all
}

// worse are the states of callbacks, each worse than those before it.
var worse = []callback.State{"", callback.Dropped, callback.Delivered, callback.Waiting, callback.Parked}

func addCallback(all map[string]callbacksOf, r store.Record) error {
	var c callback.Callback
	if err := r.Decode(&c); err != nil {
		return err
	}
	of := all[c.PaymentID]
	if slices.Index(worse, c.State) > slices.Index(worse, of.worst) {
		of.worst = c.State
	}
	of.seen += r.Version
	of.causes = append(of.causes, c.Cause)
	if n := len(c.Tries); n > 0 && c.Tries[n-1].At.After(of.tried) {
		of.tried = c.Tries[n-1].At
	}
	all[c.PaymentID] = of
	return nil
}

// paymentEntry returns the entry of a payment, without what complete adds. It adds the payment's session to paid.
func paymentEntry(r store.Record, callbacks map[string]callbacksOf, paid map[string]bool) (*entry, error) {
	p := &payment.Payment{}
	if err := r.Decode(p); err != nil {
		return nil, err
	}
	paid[p.SessionID] = true
	told := callbacks[p.ID]
	e := &entry{record: store.Record{ExpiresAt: r.ExpiresAt}, Row: rowOf(p.Details, p.Options), uses: uses{}}
	e.PaymentID, e.Amount, e.Status, e.ReasonCode = p.ID, p.Amount.String(), p.Status, p.ReasonCode
	e.Method, e.MID, e.Card, e.ApprovalCode = p.Method, p.MID, p.Card.MaskText(), p.ApprovalCode
	e.Country = cmp.Or(e.Country, p.IssuerCountry)
	if refunded := sums.Of(p).Refunded; !refunded.IsZero() {
		e.Refunded = refunded.String()
	}
	e.CreatedAt, e.ChangedAt, e.Callbacks, e.Seen = p.CreatedAt, p.ChangedAt, told.worst, r.Version+told.seen
	e.handlePayment(p)
	e.handle(told.causes...)
	e.uses.addPayment(p)
	if !told.tried.IsZero() {
		e.uses.add(settings.Place{Setting: "callback_secret"}, told.tried)
	}
	for i := range p.Transactions {
		if err := e.addLines(p, i); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// sessionEntry returns the entry of a session without a payment, nil for another one.
func sessionEntry(r store.Record, now time.Time, paid map[string]bool) (*entry, error) {
	sess, err := checkout.ReadSession(r, now)
	if err != nil || sess == nil || sess.FirstPaymentID == "" || paid[sess.ID] {
		return nil, err
	}
	req := &sess.Request
	e := &entry{record: store.Record{ExpiresAt: r.ExpiresAt}, Row: rowOf(req.Details, req.Options), uses: uses{}}
	e.PaymentID, e.Session, e.OpenUntil = sess.FirstPaymentID, sess.State, sess.ExpiresAt
	if !sess.Request.Order.Amount.ByPayer() {
		e.Amount = sess.Request.Order.Amount.Text
	}
	e.CreatedAt, e.Seen = sess.CreatedAt, r.Version
	e.uses.addRequest(sess.Request.Test, sess.CreatedAt)
	return e, nil
}

// rowOf returns the part of a row that a payment and its session have from the merchant's request.
func rowOf(d request.Details, o request.Options) Row {
	row := Row{
		Owner: d.Text(), Order: d.Order.Number, Currency: d.Order.Currency, Operation: d.Operation,
		Country: d.BillingAddress.Country, Email: cmp.Or(d.Customer.Email, d.Payee.Email),
	}
	row.handleRequest(d, o)
	return row
}

// addLines adds the lines of the payment's i-th transaction: one, or two if it has failed after its success. A report
// against an outcome moves no money and has none.
func (e *entry) addLines(p *payment.Payment, i int) error {
	t := p.Transactions[i]
	if t.Type == payment.EventContradiction {
		return nil
	}
	line := Line{
		PaymentID: p.ID, Order: p.Order.Number, Type: t.Type, Status: t.Status, At: t.Date,
		Amount: t.Amount.String(), Currency: p.Order.Currency, Method: p.Method, MID: t.MID, Connector: t.Connector,
		Reference: t.Reference, ReasonCode: t.ReasonCode, Moved: moved(p, i),
	}
	if t.Type == p.EventType(payment.JobCharge) && t.Status == payment.Success {
		line.ProviderID, line.ApprovalCode = p.ProviderID, p.ApprovalCode
	}
	if !t.SucceededAt.IsZero() {
		before := line
		before.Status, before.At, before.ReasonCode = payment.Success, t.SucceededAt, ""
		line.Moved = Negative(line.Moved)
		if err := e.addLine(before, 2*i); err != nil {
			return err
		}
		return e.addLine(line, 2*i+1)
	}
	return e.addLine(line, 2*i)
}

func (e *entry) addLine(line Line, number int) error {
	key, err := store.LineKey(e.Owner, e.PaymentID, line.At, number)
	r := store.Encode(key, 0, line)
	r.ExpiresAt = line.At.Truncate(time.Millisecond) // complete adds the time to live
	e.lines = append(e.lines, r)
	return err
}

// complete adds the records, and what the row has of them.
func (e *entry) complete(now time.Time, ttl time.Duration) error {
	made, err := store.IDTime(e.PaymentID)
	if err != nil {
		return err
	}
	end := made.Add(ttl)
	for _, handle := range e.Handles {
		key, err := store.FindKey(handle, e.Owner, e.PaymentID)
		if err != nil {
			return err
		}
		e.finds = append(e.finds, store.Record{Key: key, Doc: []byte("{}"), ExpiresAt: end})
	}
	for i := range e.lines {
		e.addActive(e.lines[i].ExpiresAt, ttl)
		e.lines[i].ExpiresAt = e.lines[i].ExpiresAt.Add(ttl)
	}
	e.addActive(made, ttl)
	e.used = e.uses.records(e.Owner, ttl)
	e.Lines, e.LinesHash = len(e.lines), hashOf(e.lines)
	key, err := store.RowKey(e.Owner, e.PaymentID)
	if err != nil {
		return err
	}
	if own := e.record.ExpiresAt; !own.IsZero() && own.Before(end) {
		end = own
	}
	e.record = store.Encode(key, 0, e.Row)
	e.record.ExpiresAt = end
	return nil
}

// addActive adds that the owner has something of the day of a time.
func (e *entry) addActive(at time.Time, ttl time.Duration) {
	day := at.UTC().Truncate(24 * time.Hour)
	r := store.Record{Key: store.ActiveKey(e.Owner, day), Doc: []byte("{}"), ExpiresAt: day.Add(24*time.Hour + ttl)}
	if !slices.ContainsFunc(e.active, func(other store.Record) bool { return other.Key == r.Key }) {
		e.active = append(e.active, r)
	}
}

// hashOf returns a short hash of lines.
func hashOf(lines []store.Record) string {
	if len(lines) == 0 {
		return ""
	}
	sum := sha256.New()
	for _, line := range lines {
		sum.Write([]byte(line.Key.Partition + "\x00" + line.Key.Sort + "\x00"))
		sum.Write(line.Doc)
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:6])
}

// records returns all documents of an entry, the row last.
func (e *entry) records() []store.Record {
	return slices.Concat(e.lines, e.finds, e.active, e.used, []store.Record{e.record})
}
