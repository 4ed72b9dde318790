package checkout

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// A document that is stored shortened is decoded with all its members.
func TestShortenedDocumentsAreCompleted(t *testing.T) {
	at := time.Date(2030, 1, 2, 3, 4, 5, 6_000_000, time.UTC)
	random := []byte("0123456789abcdefghijklmn")
	hash := store.OrderHash(fault.Owner{Merchant: "m"}.Text(), "order-1")
	id := store.NewPaymentID(hash, at, random)
	sess := Session{
		ID: store.NewSessionID(hash, at, random), State: SessionOpen, CreatedAt: at, ExpiresAt: at,
		MaxDeclines: settings.DefaultMaxDeclines, version: 1,
	}
	r, gotSession := sess.Record(), Session{}
	if err := r.Decode(&gotSession); err != nil || !reflect.DeepEqual(gotSession, sess) {
		t.Errorf("%v\n%+v\n%+v", err, gotSession, sess)
	}
	if strings.Contains(string(r.Doc), sess.ID[32:]) {
		t.Errorf("the document has the session's id: %s", r.Doc)
	}
	first, gotFirst := sess, Session{}
	first.ID = store.FirstSessionID(sess.ID)
	first.Rest = store.SessionRest(first.ID)
	if err := first.Record().Decode(&gotFirst); err != nil {
		t.Error(err)
	}
	gotFirst.version = first.version
	if !reflect.DeepEqual(gotFirst, first) || first.ID == sess.ID || first.Record().Key != store.FirstSessionKey(hash) {
		t.Errorf("%+v\n%+v", gotFirst, first)
	}
	p := payment.Payment{ID: id, Times: payment.Times{CreatedAt: at, ChangedAt: at}, Stored: payment.Stored{Version: 1}}
	p.Jobs = []payment.Job{{Reference: id, DueAt: at}, {Reference: id + "-2", DueAt: at.Add(time.Hour)}}
	moved, gotPayment := p, payment.Payment{}
	moved.ChangedAt = at.Add(time.Second)
	for _, p := range []payment.Payment{p, moved} {
		r := p.Record()
		gotPayment = payment.Payment{}
		if err := r.Decode(&gotPayment); err != nil || !reflect.DeepEqual(gotPayment, p) {
			t.Errorf("%v\n%+v\n%+v", err, gotPayment, p)
		}
	}
}

func TestUnknownKeys(t *testing.T) {
	for _, key := range []store.Key{
		{},
		{Partition: "order/1", Sort: "o/x/session/y"},
		{Partition: "order/012345678901234", Sort: "o/0/session/"},
		{Partition: "order/012345678901234", Sort: "callback/x/1"},
		{Partition: "order/012345678901234", Sort: "callback/0123456789abcdef/x"},
	} {
		_, _, err := store.CallbackOf(key)
		if _, other := store.SessionID(key, ""); err == nil || other == nil {
			t.Errorf("%+v is read as a key of a callback or session", key)
		}
	}
}
