package query

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/local/golden"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/handle"
	"checkout/internal/operator/listing"
	"checkout/internal/store"
	"checkout/internal/store/storetest"
)

// findable is a service with payments that are listed, by a letter each.
type findable struct {
	*listed
	ids      map[string]string // by letter
	letters  map[string]string // by id
	sessions map[string]string
}

// has adds a payment of an owner and an order that began at a time, changed by others, or for nil a session that nobody
// has tried to pay. Both have the letter.
func (f *findable) has(letter, owner, order string, at time.Time, change func(p *payment.Payment)) {
	f.T.Helper()
	hash, random := store.OrderHash(owner, order), []byte(strings.Repeat(letter, 32))
	id, session := store.NewPaymentID(hash, at, random), store.NewSessionID(hash, at, random)
	first, err := f.Docs.Get(f.T.Context(), f.Now, store.FirstSessionKey(hash))
	if err != nil {
		f.T.Fatal(err)
	} else if first[0].Version == 0 {
		session = store.FirstSessionID(session)
	}
	sess := &checkout.Session{ID: session, State: checkout.SessionOpen, CreatedAt: at, ExpiresAt: f.Now.Add(time.Hour)}
	sess.Request.Owner, sess.Request.Order.Number, sess.Request.Order.Currency = ownerOf(owner), order, "USD"
	if change == nil {
		sess.FirstPaymentID = id
	} else {
		p := paid(payment.StatusSettled)
		p.ID, p.SessionID, p.Owner, p.CreatedAt, p.ChangedAt = id, session, ownerOf(owner), at, at
		p.Order.Number, sess.State, sess.PaymentID = order, checkout.SessionComplete, id
		change(p)
		f.Save(p.Record())
		if p.SessionID == "" {
			sess = nil
		}
	}
	if sess != nil {
		f.Save(sess.Record())
	}
	f.ids[letter], f.letters[id], f.sessions[letter] = id, letter, session
	index := listing.NewIndexer(f.Docs, f.Docs, func() time.Time { return f.Now }, 1000*24*time.Hour)
	if _, err := index.Index(f.T.Context(), []string{store.OrderPartition(hash)}); err != nil {
		f.T.Fatal(err)
	}
}

func newFindable(t *testing.T) *findable {
	f := &findable{newListed(t), map[string]string{}, map[string]string{}, map[string]string{}}
	by := func(mask, approval, email, amount string) func(p *payment.Payment) {
		return func(p *payment.Payment) {
			p.Card, p.ApprovalCode, p.Customer.Email, p.Amount = &card.View{Mask: mask}, approval, email, usd(amount)
		}
	}
	yesterday := f.Now.Add(-24 * time.Hour)
	f.has("A", "live/m-1", "1", sentAt, by("411111******4242", "OK1234", "eve@example.com", "10.00"))
	f.has("B", "live/m-2", "1", sentAt.Add(time.Minute), func(p *payment.Payment) {
		by("411111******1111", "ok1234", "", "12.50")(p)
		p.SessionID = "" // it is no longer kept
	})
	f.has("C", "test/m-1", "1", sentAt.Add(2*time.Minute), by("411111******4242", "", "", "10.00"))
	f.has("D", "live/m-1", "The trip 2030-03-03", yesterday, by("411111******4242", "", "", "7.00"))
	f.has("E", "live/m-1", "late", sentAt, nil)
	f.has("F", "live/m-1", "4242", sentAt.Add(-time.Minute), func(p *payment.Payment) { p.RRN = f.ids["B"] })
	f.has("G", "live/m-2", "7", yesterday, func(p *payment.Payment) { p.RRN = f.sessions["D"][:32] })
	f.has("H", "live/m-1", "1", yesterday, func(p *payment.Payment) { p.RRN, p.Amount = p.ID, usd("1.00") })
	gone, err := store.FindKey(listing.Handle("gone"), "live/m-1", f.ids["A"][:35]+"0")
	if f.Save(store.Encode(gone, 0, struct{}{})); err != nil {
		t.Fatal(err)
	}
	return f
}

// A payment is found by whatever a person has in the hand, by who may see it alone, with as few requests to the store
// as are promised.
func TestFind(t *testing.T) {
	f, table := newFindable(t), golden.Table{}
	support, viewer := person(grant.Support, "*"), person(grant.Viewer, "*")
	one, two := person(grant.Support, "m-1"), person(grant.Support, "m-1", "m-2")
	today, tomorrow := f.Now.Truncate(day), f.Now.Truncate(day).Add(day)
	for _, x := range []struct {
		name string
		by   grant.Person
		f    Filter
		text []string
	}{
		{"all", support, Filter{}, []string{"1", " 1 ", "LATE", "eve@example.com", "Eve@Example.COM", "2",
			"{A}", "{E}", "{B}", "msg_{A}_1", "msg_{A}_", "{sA}", "{sE}", "{pA}", "{pD}", "{pE}", "{sG}", "{uA}", "{qA}",
			"{tA}", "{H}", "gone",
			"00000000-0000-8000-8000-000000000000", "The trip 2030-03-03", "The trip 2030-03-04", "1 2030-02-30",
			"4242", "4242 2030-03-04", "4242 2030-03-03", "1111", "10.00", "10", "10,00 USD", "10.00 usd", "10 EUR",
			"12.5", "ok1234", "OK1234 2030-03-04", "ok12345", "7.00  2030-03-03", "4242 4242 4242 4242", "", " ", "a\tb",
			strings.Repeat("x", 255), strings.Repeat("x", 256)}},
		{"some of them", one, Filter{}, []string{"1", "{A}", "{B}", "{sG}", "4242 2030-03-04", "12.50"}},
		{"of two merchants", two, Filter{}, []string{"1", "12.50", "10.00"}},
		{"masked", viewer, Filter{}, []string{"1", "{A}", "10.00"}},
		{"for nobody", grant.Person{}, Filter{}, []string{"1", "{A}", "10.00"}},
		{"one merchant's", support, Filter{Merchant: "m-2"}, []string{"1", "{A}", "{B}", "10.00", "12.50"}},
		{"one merchant's, in a mode", one, Filter{Merchant: "m-1", Mode: "test"}, []string{"1", "10.00"}},
		{"live ones", support, Filter{Mode: "live"}, []string{"1", "{C}", "10.00"}},
		{"test ones", support, Filter{Mode: "test"}, []string{"1", "{C}", "{A}", "10.00"}},
		{"of a day", support, Filter{From: today.Add(-time.Hour)}, []string{"4242", "4242 2030-03-04", "late"}},
		{"at most one", support, Filter{Limit: 1}, []string{"1", "4242 2030-03-04", "1111 2030-03-04"}},
		{"at most three", support, Filter{Limit: 3}, []string{"1"}},
		{"of no mode", support, Filter{Mode: "other"}, []string{"1"}},
		{"until before from", support, Filter{From: tomorrow, Until: today}, []string{"1"}},
		{"of an instant", support, Filter{From: today, Until: today}, []string{"eve@example.com"}},
		{"a card of letters", support, Filter{Card: "424x"}, []string{"1"}},
		{"a card of three digits", support, Filter{Card: "424"}, []string{"1"}},
	} {
		table.Begin(x.name + ":")
		for _, text := range x.text {
			f.Requests.Store(0)
			found, err := f.Find(t.Context(), x.by, f.filled(text), x.f)
			name := fmt.Sprintf("%.30q", text)
			if err != nil {
				table.Add(name, fmt.Sprintf(" %d: %v", fault.CodeOf(err), err))
				continue
			}
			table.Add(name, f.told(found)+fmt.Sprintf("; %d requests", f.Requests.Load()))
		}
	}
	golden.Compare(t, "testdata/find.golden", table.Text(), *update)
}

// filled replaces {A} by the id of a payment, in capitals {uA} and without its signs {qA}, and {sA} by that of its
// session, of which {pA} is the public part and {tA} lacks a digit.
func (f *findable) filled(text string) string {
	for letter, id := range f.ids {
		session := f.sessions[letter]
		text = strings.NewReplacer("{"+letter+"}", id, "{u"+letter+"}", strings.ToUpper(id),
			"{q"+letter+"}", strings.ReplaceAll(id, "-", ""), "{s"+letter+"}", session, "{p"+letter+"}", session[:32],
			"{t"+letter+"}", session[:63]).Replace(text)
	}
	return text
}

func (f *findable) told(found Found) string {
	var rows []string
	for _, row := range found.Rows {
		rows = append(rows, strings.TrimSpace(strings.Join([]string{f.letters[row.ID], row.Mode, row.State, row.Email}, " ")))
	}
	value := handle.Handle{}.ValueWords()
	by := strings.NewReplacer(byOurID, "id", value, "value").Replace(found.By)
	text := fmt.Sprintf("\n    %s; by %s", strings.Join(rows, ", "), by)
	if found.Searched > 0 {
		text += fmt.Sprintf("; %d searched to %s", found.Searched, found.SearchedTo.Format(time.DateTime))
	}
	if found.Cursor != "" {
		text += "; more"
	}
	return text + "; " + found.Note
}

// A view has what is known of a payment, or of the session that nobody has tried to pay yet, for who may see it.
func TestView(t *testing.T) {
	f := newFindable(t)
	for letter, owner := range map[string]string{
		"A": "live/m-1", "B": "live/m-2", "C": "test/m-1", "E": "live/m-1", "": ""} {
		id := cmp.Or(f.ids[letter], paymentID(99))
		for _, merchant := range []string{"m-1", "m-2"} {
			v, err := f.View(t.Context(), person(grant.Support, merchant), id)
			if sees := letter != "" && strings.HasSuffix(owner, merchant); !sees {
				if fault.CodeOf(err) != fault.CodeNotFound || v.Row.ID != "" {
					t.Errorf("%s for a person of %s: %+v, %v", letter, merchant, v.Row, err)
				}
				continue
			}
			if err != nil || f.letters[v.Row.ID] != letter || v.Summary.State != v.Row.State || v.Summary.Means == "" ||
				(len(v.Possible) == 1) != (letter == "E") || len(v.Possible) == 0 || len(v.Facts) == 0 || len(v.Timeline) == 0 {
				t.Errorf("%s: %+v, %v", letter, v, err)
			}
		}
		o, err := f.OwnerOf(t.Context(), id)
		if (err == nil) != (letter != "") || letter != "" && o != ownerOf(owner) ||
			err != nil && fault.CodeOf(err) != fault.CodeNotFound {
			t.Errorf("%s is of %+v, %v", letter, o, err)
		}
	}
	_, err := f.OwnerOf(t.Context(), "no id")
	if _, errView := f.View(t.Context(), person(grant.Support, "*"), "no id"); fault.CodeOf(err) !=
		fault.CodeNotFound || fault.CodeOf(errView) != fault.CodeNotFound {
		t.Errorf("of no id: %v, %v", err, errView)
	}
}

// What the store can't do is told to who has asked.
func TestStoreFails(t *testing.T) {
	support, admin := person(grant.Support, "*"), person(grant.Admin, "*")
	for name, do := range map[string]func(ctx context.Context, f *findable) error{
		"find": func(ctx context.Context, f *findable) error {
			return erring(f.Find(ctx, support, f.ids["B"], Filter{}))
		},
		"find in a day": func(ctx context.Context, f *findable) error {
			return erring(f.Find(ctx, support, "10.00", Filter{}))
		},
		"find as it is": func(ctx context.Context, f *findable) error {
			return erring(f.Find(ctx, support, "the trip 2030-03-03", Filter{}))
		},
		"view":  func(ctx context.Context, f *findable) error { return erring(f.View(ctx, support, f.ids["A"])) },
		"owner": func(ctx context.Context, f *findable) error { return erring(f.OwnerOf(ctx, f.ids["E"])) },
		"journal": func(ctx context.Context, f *findable) error {
			return erring(f.Totals(ctx, admin, Filter{Card: "4242"}))
		},
		"list":    func(ctx context.Context, f *findable) error { return erring(f.Payments(ctx, support, Filter{})) },
		"waiting": func(ctx context.Context, f *findable) error { return erring3(f.Waiting(ctx, support, "")) },
		"running": func(ctx context.Context, f *findable) error { return erring3(f.UnderWay(ctx, support, Filter{})) },
	} {
		t.Run(name, func(t *testing.T) {
			storetest.EachFails(t, func() (*storetest.Scripted, func() error) {
				f := newFindable(t)
				scripted := &storetest.Scripted{Store: f.Docs}
				f.Core.Store = scripted
				return scripted, func() error { return do(t.Context(), f) }
			})
		})
	}
}

func erring[T any](_ T, err error) error { return err }

func erring3[T, U any](_ T, _ U, err error) error { return err }
