package blocklist

import (
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/fault"
	"checkout/internal/store"
)

var now = time.Date(2030, 3, 4, 12, 0, 0, 0, time.UTC)

func TestFind(t *testing.T) {
	list := List{}
	for i, e := range []Entry{
		{Kind: Card, Value: "aa"}, {Kind: Email, Value: "ada@pens.example"}, {Kind: IP, Value: "203.0.113.7"},
		{Kind: IP, Value: "198.51.100.0/24"}, {Kind: IP, Value: "2001:db8:1::/48"},
		{Kind: Card, Value: "old", Until: now.Add(-time.Nanosecond)}, {Kind: Card, Value: "ends now", Until: now},
	} {
		e.ID = fmt.Sprint(i)
		if e.Until.IsZero() {
			e.Until = now.Add(time.Nanosecond)
		}
		list.Entries = append(list.Entries, e)
	}
	for _, test := range []struct {
		payer Payer
		want  string
	}{
		{Payer{}, ""},
		{Payer{"ab", "ida@pens.example", "203.0.113.8"}, ""},
		{Payer{Card: "aa"}, "0"}, {Payer{Card: "old"}, ""}, {Payer{Card: "ends now"}, ""},
		{Payer{Card: "ada@pens.example"}, ""}, {Payer{Email: "aa"}, ""}, {Payer{Email: "203.0.113.7"}, ""},
		{Payer{Email: " Ada@Pens.Example "}, "1"}, {Payer{Email: "ada@pens.example.org"}, ""},
		{Payer{IP: "203.0.113.7"}, "2"}, {Payer{IP: "::ffff:203.0.113.7"}, "2"}, {Payer{IP: "203.0.113.70"}, ""},
		{Payer{IP: "198.51.100.255"}, "3"}, {Payer{IP: "198.51.101.0"}, ""},
		{Payer{IP: "2001:db8:1:ffff::1"}, "4"}, {Payer{IP: "2001:db8:1::1%eth0"}, "4"}, {Payer{IP: "2001:db8:2::1"}, ""},
		{Payer{IP: "not an address"}, ""},
		{Payer{"ab", "ada@pens.example", "198.51.100.1"}, "1"},
	} {
		got := ""
		if e := list.Find(test.payer, now); e != nil {
			got = e.ID
		}
		if got != test.want {
			t.Errorf("%+v is on %q, not on %q", test.payer, got, test.want)
		}
	}
	if !list.HasCards(now) || list.HasCards(now.Add(time.Hour)) {
		t.Error("cards are blocked until the end of their entries")
	}
}

func TestNormalIP(t *testing.T) {
	for text, want := range map[string]string{
		"203.0.113.7": "203.0.113.7", " 203.0.113.7 ": "203.0.113.7", "203.0.113.7/32": "203.0.113.7",
		"203.0.113.7/24": "203.0.113.0/24", "203.0.0.0/16": "203.0.0.0/16", "203.0.0.0/15": "!", "0.0.0.0/0": "!",
		"::ffff:203.0.113.7": "203.0.113.7", "::ffff:203.0.113.7/120": "203.0.113.0/24", "::ffff:0:0/96": "!",
		"::ffff:0:0/95": "::fffe:0:0/95", "2001:DB8::1": "2001:db8::1", "2001:db8::1/128": "2001:db8::1",
		"fe80::1%eth0":      "fe80::1",
		"2001:db8:1:2::/64": "2001:db8:1:2::/64", "2001:db8::/32": "2001:db8::/32", "2001:d00::/31": "!", "::/0": "!",
		"203.0.113": "!", "203.0.113.7/33": "!", "": "!", "pens.example": "!", "203.0.113.0-9": "!",
	} {
		got, wrong := NormalIP(text)
		if (wrong != "") != (want == "!") || wrong == "" && got != want {
			t.Errorf("%q is %q (%s), not %q", text, got, wrong, want)
		}
	}
}

func TestMasked(t *testing.T) {
	for e, want := range map[Entry]string{
		{Kind: Email, Value: "ada@pens.example"}:  "a***@pens.example",
		{Kind: Email, Value: "ödön@pens.example"}: "ö***@pens.example",
		{Kind: IP, Value: "203.0.113.7"}:          "203.0.0.0/16",
		{Kind: IP, Value: "203.0.113.0/24"}:       "203.0.0.0/16",
		{Kind: IP, Value: "2001:db8:1::/48"}:      "2001:db8::/32",
	} {
		if got := e.Masked(); got != want || !strings.HasSuffix(e.Text(), want) {
			t.Errorf("%v is shown as %q and %q", e, got, e.Text())
		}
	}
	card := Entry{Kind: Card, Value: "aa", Card: "424242******4242"}
	if card.Text() != "the card 424242******4242" {
		t.Error(card.Text())
	}
}

// A list takes an entry in place of the same one and without those that have ended, up to its most, which fit one
// document.
func TestWith(t *testing.T) {
	o, list, ok := fault.Owner{Merchant: "pens"}, List{}, true
	longest := Entry{
		Kind: Card, Card: "424242******4242", By: strings.Repeat("b", 120), At: now, Until: now.Add(time.Hour),
	}
	for n := range Most {
		sum := sha512.Sum512([]byte{byte(n), byte(n >> 8)})
		text := base64.StdEncoding.EncodeToString(sum[:]) + hex.EncodeToString(sum[:])
		longest.ID, longest.PaymentID, longest.Value, longest.Reason = text[:36], text[88:124], text[124:156], text[:120]
		if list, ok = list.With(longest, now); !ok {
			t.Fatalf("entry %d is one too many", n)
		}
	}
	var compressed bytes.Buffer
	w := gzip.NewWriter(&compressed)
	if _, err := w.Write(list.Record(o).Doc); err != nil || w.Close() != nil || compressed.Len() > 300<<10 {
		t.Errorf("a full list has %d bytes compressed: %v", compressed.Len(), err)
	}
	longest.Reason = "another"
	again, ok := list.With(longest, now)
	if !ok || len(again.Entries) != Most || again.Entries[Most-1].Reason != "another" ||
		list.Entries[Most-1].Reason == "another" {
		t.Error("an entry for the same takes the place of the one before")
	}
	longest.Value = "one more"
	if _, ok := list.With(longest, now); ok {
		t.Error("a full list takes one more")
	}
	if fresh, ok := list.With(longest, now.Add(2*time.Hour)); !ok || len(fresh.Entries) != 1 {
		t.Errorf("%d entries stay after their end", len(fresh.Entries))
	}
	rest, gone, ok := list.Without(longest.ID)
	if !ok || gone.ID != longest.ID || len(rest.Entries) != Most-1 || len(list.Entries) != Most {
		t.Error("an entry is removed by its id")
	}
	if _, _, ok := list.Without("none"); ok {
		t.Error("an entry that there is not is removed")
	}
	var read List
	record := list.Record(o)
	record.Version = 7
	if err := record.Decode(&read); err != nil || read.Record(o).Version != 7 ||
		record.Key != store.BlocksKey("live/pens") {
		t.Errorf("a list is read as %v, %v", read.version, err)
	}
}
