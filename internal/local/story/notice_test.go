package story

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/settings"
)

// accounts gives the shop two MIDs with different accounts at the bank.
func accounts(m *settings.Merchant) {
	m.Mappings[0].Name = "cards, and more: 50 % / ö"
	m.Mappings[0].MIDs = nil
	for _, name := range []string{"mid-1", "mid/2"} {
		m.Mappings[0].MIDs = append(m.Mappings[0].MIDs, settings.MID{
			Name: name, Connector: realBank, Methods: []string{"card"}, Credentials: map[string]string{"secret": "of " + name},
		})
	}
}

// signedNotices reads the notices of a bank that signs them with the account's secret.
func signedNotices(n connector.Notification) (read connector.Notice, err error) {
	secret := n.Credentials["secret"]
	if secret == "" || http.Header(n.Header).Get("X-Signature") != secret+" of "+string(n.Body) {
		return read, connector.ErrNotAuthentic
	}
	if n.Query["event"][0] == "other" {
		return connector.Notice{Response: connector.NoticeResponse{Status: http.StatusNoContent}}, nil
	}
	err = json.Unmarshal(n.Body, &read)
	read.Response = connector.NoticeResponse{
		Status: http.StatusAccepted, ContentType: "text/plain", Body: []byte("[accepted]"),
	}
	return read, err
}

// notifies sends a signed notice to the address of a MID and returns the response.
func (w *World) notifies(path, secret, event string, n connector.Notice) string {
	w.t.Helper()
	body, err := json.Marshal(n)
	if err != nil {
		w.t.Fatalf("%v", err)
	}
	request, err := http.NewRequest("POST", w.server.URL+path+"?event="+event, strings.NewReader(string(body)))
	if err != nil {
		w.t.Fatalf("%v", err)
	}
	request.Header.Set("x-signature", secret+" of "+string(body))
	response, err := w.server.Client().Do(request)
	if err != nil {
		w.t.Fatalf("%v", err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return response.Status + " " + response.Header.Get("Content-Type") + " " + string(text)
}

// A notice is read from headers, query and body with the credentials of the MID that its address belongs to, and the
// provider gets the connector's response. A notice from anybody else is refused and changes nothing.
func TestNoticeOfOneMID(t *testing.T) {
	w := open(t, accounts)
	bank := &provider{charge: onCharge(undecided), notice: signedNotices}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	payer.is("prepare")
	n := connector.Notice{PaymentID: payer.paymentID(), Result: approved}
	first, second := w.noticePath(realBank, 0), w.noticePath(realBank, 1)
	if got := bank.charges[0].NoticeURL; got != w.server.URL+first {
		t.Errorf("the bank is told to report to %s, not to %s", got, first)
	}
	for _, test := range []struct{ name, path, secret, want string }{
		{"a forged signature", first, "of nobody", "401 "},
		{"the other MID's", first, "of mid/2", "401 "},
		{"the other MID, about a payment of the first", second, "of mid/2", "404 "},
	} {
		if got := w.notifies(test.path, test.secret, "paid", n); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %s", test.name, got)
		}
	}
	if got := w.notifies(first, "of mid-1", "other", connector.Notice{}); !strings.HasPrefix(got, "204 ") {
		t.Errorf("about no payment: %s", got)
	}
	w.work()
	payer.is("prepare")
	if got := w.notifies(first, "of mid-1", "paid", n); got != "202 Accepted text/plain [accepted]" {
		t.Errorf("returned %s", got)
	}
	w.work()
	payer.is("settled")
	w.shop.told("sale waiting prepare", "sale success settled")
}

// At some providers the MIDs of one account share a notice address: a notice to one of them counts for all.
func TestNoticeOfAnotherMIDOfTheAccount(t *testing.T) {
	w := open(t, accounts, func(m *settings.Merchant) {
		m.Mappings[0].MIDs[1].Credentials = m.Mappings[0].MIDs[0].Credentials
	})
	w.goesLive(&provider{charge: onCharge(undecided), notice: signedNotices})
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	n := connector.Notice{PaymentID: payer.paymentID(), Result: approved}
	if got := w.notifies(w.noticePath(realBank, 1), "of mid-1", "paid", n); !strings.HasPrefix(got, "202 ") {
		t.Errorf("returned %s", got)
	}
	w.work()
	payer.is("settled")

	other := w.newShop("-2", accounts)
	found, err := w.app.Merchants.Read(t.Context(), other.merchant.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got := w.notifies(found.Notices[0].Path, "of mid-1", "paid", n); !strings.HasPrefix(got, "404 ") {
		t.Errorf("another merchant's provider: %s", got)
	}
}

// secretsOpened records whose credentials are decrypted.
type secretsOpened struct {
	settings.Secrets
	owners sync.Map
}

func (s *secretsOpened) Decrypt(
	ctx context.Context, use settings.SecretUse, of string, encrypted []byte,
) ([]byte, error) {
	if use == settings.SecretCredentials {
		s.owners.Store(of, true)
	}
	return s.Secrets.Decrypt(ctx, use, of, encrypted)
}

// unknownAddresses returns notice addresses of no MID, made of one that is a MID's.
func unknownAddresses(path string) map[string]string {
	before, mid := path[:strings.LastIndex(path, "/")+1], path[strings.LastIndex(path, "/")+1:]
	shop, hash, _ := strings.Cut(mid, ".")
	return map[string]string{
		"no such merchant":                 before + "bm9ib2R5." + hash,
		"no such MID":                      before + shop + ".0000000000000000",
		"no id":                            before + "x",
		"an id that is no base64":          before + "%2e%2e." + hash,
		"an id that is too long":           before + strings.Repeat("YWFh", 2000) + "." + hash,
		"a connector without a MID":        strings.TrimSuffix(before, "/"),
		"an id with a hash of another one": path + "0",
	}
}

// A notice to an unknown address is not authentic, and no credentials are opened for it. Of a known one those of its
// MID are opened alone.
func TestNoticeToAnUnknownAddress(t *testing.T) {
	w := open(t, accounts)
	w.connects(realBank, &provider{notice: signedNotices})
	w.connects(anotherBank, chargeOnly{&provider{}})
	path, secrets := w.noticePath(realBank, 0), &secretsOpened{Secrets: w.app.Core.Secrets}
	w.skip(2 * time.Minute) // until cached settings expire
	w.app.Core.Secrets = secrets
	mid := path[strings.LastIndex(path, "/")+1:]
	for name, path := range unknownAddresses(path) {
		if got := w.notifies(path, "of mid-1", "paid", connector.Notice{}); !strings.HasPrefix(got, "401 ") {
			t.Errorf("%s: %s", name, got)
		}
	}
	for name, path := range map[string]string{
		"no such connector":           "/api/v1/notify/nobody/" + mid,
		"a connector without notices": "/api/v1/notify/another-bank/" + mid,
		"neither connector nor MID":   "/api/v1/notify/nobody/x",
	} {
		if got := w.notifies(path, "of mid-1", "paid", connector.Notice{}); !strings.HasPrefix(got, "404 ") {
			t.Errorf("%s: %s", name, got)
		}
	}
	secrets.owners.Range(func(owner, _ any) bool {
		t.Errorf("the credentials of %s were decrypted for an unknown address", owner)
		return true
	})
	counted := func() int { return strings.Count(w.log.String(), `"unknown_notices":1`) }
	if n := counted(); n != 10 {
		t.Errorf("%d of 10 notices to unknown addresses were counted", n)
	}
	stranger := connector.Notice{PaymentID: "payment-of-nobody", Reference: "r"}
	if got := w.notifies(path, "of mid-1", "paid", stranger); !strings.HasPrefix(got, "404 ") || counted() != 11 {
		t.Errorf("about no payment of ours: %s, and counted are %d", got, counted())
	}
	got := w.notifies(path, "of mid-1", "other", connector.Notice{})
	if counted() != 12 {
		t.Errorf("of another kind: counted are %d", counted())
	}
	if !strings.HasPrefix(got, "204 ") {
		t.Errorf("at an address that exists: %s", got)
	}
	opened := 0
	secrets.owners.Range(func(owner, _ any) bool {
		if opened++; owner != mid {
			t.Errorf("the credentials of %s were decrypted for %s", owner, mid)
		}
		return true
	})
	if opened != 1 {
		t.Errorf("the credentials of %d MIDs were decrypted", opened)
	}
}

// A notice that is not the provider's gets the same bytes after the same requests to the store whether its address is
// a MID's or not, with cached settings and without.
func TestNoticeAddressesCantBeProbed(t *testing.T) {
	w := open(t, accounts)
	w.connects(realBank, &provider{notice: signedNotices})
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	counted := &countingStore{Store: w.store}
	w.app.Core.Store = counted
	for _, test := range []struct {
		name, connector, body string
		status                int
	}{
		{"forged", realBank, `{"PaymentID":"` + payer.paymentID() + `"}`, http.StatusUnauthorized},
		{"too large", realBank, strings.Repeat("x", 300_000), http.StatusBadRequest},
		{"about nothing", settings.SandboxConnector, `{"reference":"none"}`, http.StatusNotFound},
		{"no notice", settings.SandboxConnector, `[]`, http.StatusNotFound},
	} {
		known := w.noticePath(test.connector, 0)
		paths := unknownAddresses(known)
		delete(paths, "a connector without a MID") // where the sandbox sends a notice again
		paths["a MID's"] = known
		for _, cached := range []bool{false, true} {
			did := map[string][]string{}
			for name, path := range paths {
				w.skip(time.Hour) // longer than settings are cached
				if cached {
					w.call("POST", path, test.body)
				}
				before := counted.calls()
				code, text := w.call("POST", path, test.body)
				if code != test.status {
					t.Errorf("%s to %s: %d %s", test.name, name, code, text)
				}
				all := counted.since(before) + " " + string(text)
				did[all] = append(did[all], name)
			}
			if len(did) != 1 {
				t.Errorf("%s, cached %v: %q", test.name, cached, did)
			}
		}
	}
}
