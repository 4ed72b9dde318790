package listing

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/store"
	"checkout/internal/store/memory"

	"pgregory.net/rapid"
)

func (f *faulty) List(ctx context.Context, now time.Time, query store.Query) (found []store.Record, err error) {
	err = f.call(func() (err error) { found, err = f.Store.List(ctx, now, query); return err })
	return found, err
}

// days is a model of the lines of one owner, which come in any order, of days that are summed up meanwhile.
type days struct {
	t       *rapid.T
	listing *faulty
	now     time.Time
	drifts  [2]time.Duration // of the clocks of the indexer and the reader
	indexer Indexer
	reader  Days
	late    []store.Record // lines that a writer was killed with
	made    int
}

const daysOwner = "live/pens"

func newDays(t *rapid.T, begin time.Time) *days {
	d := &days{t: t, listing: &faulty{Store: memory.NewStore(), left: -1}, now: begin}
	for i := range d.drifts {
		d.drifts[i] = time.Duration(rapid.IntRange(-60, 60).Draw(t, "drift")) * time.Second
	}
	d.indexer = NewIndexer(nil, d.listing, func() time.Time { return d.now.Add(d.drifts[0]) }, 761*24*time.Hour)
	d.reader = Days{d.listing, func() time.Time { return d.now.Add(d.drifts[1]) }}
	return d
}

// line draws a line of the last days.
func (d *days) line() store.Record {
	d.made++
	at := d.now.Add(-time.Duration(rapid.IntRange(0, 3*24*60).Draw(d.t, "minutes ago")) * time.Minute)
	id := store.NewPaymentID(store.OrderHash(daysOwner, fmt.Sprint(d.made)), at, fmt.Appendf(nil, "%020d", d.made))
	line := Line{
		PaymentID: id, At: at, Amount: fmt.Sprintf("%d.%02d", d.made, d.made%100), Method: "card",
		Currency: rapid.SampledFrom([]string{"USD", "EUR"}).Draw(d.t, "currency"), ReasonCode: "declined",
		MID:    rapid.SampledFrom([]string{"", "a"}).Draw(d.t, "mid"),
		Status: rapid.SampledFrom([]payment.TransactionStatus{payment.Success, payment.Fail}).Draw(d.t, "status"),
		Type: rapid.SampledFrom([]payment.EventType{
			payment.EventSale, payment.EventRefund, payment.EventCredit, payment.EventTransfer}).Draw(d.t, "type"),
	}
	if line.Status == payment.Success {
		line.Moved = line.Amount
		if line.Type != payment.EventSale && line.Type != payment.EventTransfer {
			line.Moved = "-" + line.Amount
		}
	}
	key, err := store.LineKey(daysOwner, id, at, 0)
	if err != nil {
		d.t.Fatal(err)
	}
	r := store.Encode(key, 0, line)
	r.ExpiresAt = at.Add(761 * 24 * time.Hour)
	return r
}

// puts puts a line of a writer that may be killed, or one again with which another was killed.
func (d *days) puts() {
	r := d.line()
	if len(d.late) > 0 && rapid.Bool().Draw(d.t, "again") {
		r, d.late = d.late[0], d.late[1:]
	}
	if err := d.indexer.saveLine(d.t.Context(), r); errors.Is(err, errKilled) {
		d.late = append(d.late, r)
	} else if err != nil {
		d.t.Fatal(err)
	}
}

// sums sums up a day. ok is false if its sums can't be stored, or the reader was killed.
func (d *days) sums(date time.Time) (sums OwnerDay, ok bool) {
	read, err := d.reader.Read(d.t.Context(), []string{daysOwner}, []time.Time{date})
	if err == nil && !read[0].Summed && read[0].MaySumUp(d.reader.Now()) {
		_, err = d.reader.SumUp(d.t.Context(), &read[0])
	}
	if err != nil && !errors.Is(err, errKilled) {
		d.t.Fatal(err)
	}
	if err != nil {
		return OwnerDay{}, false
	}
	return read[0], read[0].Summed
}

// dates are the UTC days of which there are lines.
func (d *days) dates() (all []time.Time) {
	for date := d.now.Truncate(24 * time.Hour); len(all) < 12; date = date.AddDate(0, 0, -1) {
		all = append(all, date)
	}
	return all
}

// check compares the sums of each day with its lines, by the days of a zone.
func (d *days) check(zone *time.Location) {
	for _, date := range d.dates() {
		sums, ok := d.sums(date)
		if !ok {
			continue
		}
		var lines []Line
		for shard := range store.ListingShards {
			query := store.LinesOf(daysOwner, date, shard)
			query.Limit = 1000
			records, err := d.listing.Store.List(d.t.Context(), d.now, query)
			if err != nil {
				d.t.Fatal(err)
			}
			for _, r := range records {
				var line Line
				if err := r.Decode(&line); err != nil {
					d.t.Fatal(err)
				}
				lines = append(lines, line)
			}
		}
		adder := NewAdder(zone)
		all := func(Line) bool { return true }
		err := adder.AddDay(&sums, date, date.Add(24*time.Hour), all)
		want, errWant := SumUp(lines, zone)
		got, errGot := adder.Totals()
		if err != nil || errWant != nil || errGot != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			d.t.Fatalf("%s: %v\nwant %v, %v, %v", date, got, want, err, errWant)
		}
	}
}

// Whatever is read of a day's sums is the sum of its lines, in whatever order these come, also between any two requests
// of a reader or a writer, by clocks that differ, and whoever is killed.
func TestSumsOfDaysAreThoseOfTheirLines(t *testing.T) {
	stored := 0
	rapid.Check(t, func(t *rapid.T) {
		d := newDays(t, time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC))
		zone := time.FixedZone("", rapid.SampledFrom([]int{0, 19_800, 20_700, -12_600, 46_800}).Draw(t, "offset"))
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			d.now = d.now.Add(time.Duration(rapid.SampledFrom([]int{1, 60, 1000, 20_000}).Draw(t, "seconds")) * time.Second)
			d.listing.left, d.listing.happens = -1, nil
			writes := rapid.Bool().Draw(t, "writes")
			switch rapid.IntRange(0, 2).Draw(t, "fault") {
			case 0:
				d.listing.left, d.listing.after = rapid.IntRange(0, 4).Draw(t, "call"), rapid.Bool().Draw(t, "after")
			case 1:
				d.listing.left = rapid.IntRange(0, 4).Draw(t, "call")
				d.listing.happens = func() {
					if writes {
						d.sums(rapid.SampledFrom(d.dates()).Draw(t, "read meanwhile"))
					} else {
						d.puts()
					}
				}
			}
			if writes {
				d.puts()
			} else {
				d.sums(rapid.SampledFrom(d.dates()).Draw(t, "read"))
			}
			if d.listing.left = -1; rapid.Bool().Draw(t, "checked") {
				d.check(zone)
			}
		}
		d.check(zone)
		for _, r := range d.listing.Dump() {
			if store.IsSums(r.Key) && strings.Contains(string(r.Doc), "summed") {
				stored++
			}
		}
	})
	if stored == 0 {
		t.Error("no sums were stored")
	}
}

// A line that a rebuild puts or deletes ends the sums of its day, and a rebuild ends all.
func TestRebuildEndsSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := newDays(t, time.Date(2030, 3, 10, 10, 0, 0, 0, time.UTC))
		for range 20 {
			d.puts()
		}
		d.now = d.now.Add(4 * 24 * time.Hour)
		d.check(time.UTC)
		b := Rebuilder{d.indexer, memory.NewStore().Scan, d.listing.Scan}
		for _, r := range d.listing.Dump() {
			if store.IsLine(r.Key) && rapid.Bool().Draw(t, "deleted") {
				if err := b.save(t.Context(), store.Record{Key: r.Key, Delete: true}); err != nil {
					t.Fatal(err)
				}
			}
		}
		d.check(time.UTC)
		d.now = d.now.Add(time.Hour)
		d.check(time.UTC)
		for _, r := range d.listing.Dump() {
			if store.IsSums(r.Key) {
				if err := b.endSums(t.Context(), r.Key); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, r := range d.listing.Dump() {
			if store.IsSums(r.Key) && strings.Contains(string(r.Doc), "summed") {
				t.Fatalf("%s is still there", r.Doc)
			}
		}
		d.check(time.UTC)
	})
}

// The sums of a day with very many different lines still fit into a document, and amounts are exact.
func TestSumUpDay(t *testing.T) {
	begin := time.Date(2030, 3, 4, 0, 0, 0, 0, time.UTC)
	var lines []Line
	for n := range 20_000 {
		lines = append(lines, Line{At: begin.Add(time.Duration(n) * 4 * time.Second), Type: payment.EventSale,
			Status: payment.Success, Amount: "1234.56", Moved: "1234.56", Currency: []string{"EUR", "USD", "KES"}[n%3],
			Method: fmt.Sprint("method-", n%4), MID: fmt.Sprint("mid-", n%5)})
	}
	day, err := sumUpDay(lines)
	doc := store.Encode(store.SumsKey(daysOwner, begin), 0, day).Doc
	t.Logf("%d bytes", len(doc))
	if err != nil || len(doc) > store.MaxDoc {
		t.Errorf("%d bytes, %v", len(doc), err)
	}
}
