package story

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"checkout/internal/settings"
	"checkout/internal/store"
)

// guess is an operation with the ids that somebody tries at one of its places: one of another merchant, and some of
// nobody. Nothing may tell them apart.
type guess struct {
	ids  []string
	asks func(s *Shop, id string) *http.Request
}

// like returns an id and two of the same form: one that begins alike, so that an order's has the same order, and one
// that ends alike.
func like(id string) []string {
	digit := func(at int) string {
		other := map[bool]string{true: "1", false: "0"}[id[at] == '0']
		return id[:at] + other + id[at+1:]
	}
	return []string{id, digit(len(id) - 1), digit(1)}
}

// signedCall returns a call of the merchants' API.
func (s *Shop) signedCall(path string, body map[string]any, parts ...string) *http.Request {
	text, _ := json.Marshal(s.Body(body, parts...))
	return httptest.NewRequest("POST", path, bytes.NewReader(text))
}

// names returns a call about a payment or an order.
func names(path, member string, more ...any) func(*Shop, string) *http.Request {
	return func(s *Shop, id string) *http.Request {
		body := map[string]any{member: id}
		for i := 0; i+1 < len(more); i += 2 {
			body[more[i].(string)] = more[i+1]
		}
		return s.signedCall(path, body, id)
	}
}

// requests returns a call for a session or its explanation that names an id.
func requests(path string, change func(id string) func(map[string]any)) func(*Shop, string) *http.Request {
	return func(s *Shop, id string) *http.Request {
		text, _ := json.Marshal(s.Sign(s.Order("pen-1", change(id))))
		return httptest.NewRequest("POST", path, bytes.NewReader(text))
	}
}

// ofPage returns a call of the page's API.
func ofPage(method, path, body string) guess {
	return guess{asks: func(_ *Shop, id string) *http.Request {
		return httptest.NewRequest(method, strings.Replace(path, "{session}", id, 1), strings.NewReader(body))
	}}
}

// guesses returns the places of ids by their operation and name, and what is tried there: ids of b's owner, which is
// not the one who asks, whose own chain is own.
func guesses(b belongings, own chain) map[string]guess {
	const retry, status, recurring = "/api/v1/payment/retry", "/api/v1/payment/status", "/api/v1/payment/recurring"
	charge := func(s *Shop, id, token string) *http.Request {
		text, _ := json.Marshal(s.RecurringBody(id, token, "pen-1", "1.00"))
		return httptest.NewRequest("POST", recurring, bytes.NewReader(text))
	}
	stop := func(s *Shop, id, token string) *http.Request {
		text, _ := json.Marshal(chain{s, id, token}.stopBody())
		return httptest.NewRequest("POST", recurring+"/stop", bytes.NewReader(text))
	}
	is := func(name string) func(id string) func(map[string]any) {
		return func(id string) func(map[string]any) { return with(name, id) }
	}
	payments := slices.Concat(like(b.settled), like(b.promised), like(b.authorised), like(b.chain.initial))
	all := map[string]guess{
		"POST " + status + " payment_id":    {payments, names(status, "payment_id")},
		"POST " + status + " order_id":      {[]string{"own-1", "own-5", "none"}, names(status, "order_id")},
		"POST " + status + " order_id?size": {[]string{"own-1", "own-5", "none"}, names(status, "order_id", "size", 5)},
		"POST " + retry + " payment_id":     {payments, names(retry, "payment_id")},
		"POST " + recurring + " recurring_init_trans_id": {append(payments, own.initial),
			func(s *Shop, id string) *http.Request { return charge(s, id, b.chain.token) }},
		"POST " + recurring + "/stop recurring_init_trans_id": {append(payments, own.initial),
			func(s *Shop, id string) *http.Request { return stop(s, id, b.chain.token) }},
		"POST " + recurring + "/stop recurring_token": {like(b.chain.token),
			func(s *Shop, token string) *http.Request { return stop(s, own.initial, token) }},
		"POST " + recurring + " recurring_token": {like(b.chain.token),
			func(s *Shop, token string) *http.Request { return charge(s, own.initial, token) }},
		"POST " + recurring + " schedule_id": {[]string{"monthly", "monthly3"}, func(s *Shop, id string) *http.Request {
			body := s.RecurringBody(own.initial, own.token, "pen-1", "1.00")
			body["schedule_id"] = id
			text, _ := json.Marshal(body)
			return httptest.NewRequest("POST", recurring, bytes.NewReader(text))
		}},
		"POST /api/v1/payment/refund Idempotency-Key": {[]string{"key-of-the-other", "key-of-nobody"},
			func(s *Shop, key string) *http.Request {
				r := names("/api/v1/payment/refund", "payment_id")(s, b.settled)
				r.Header.Set("Idempotency-Key", key)
				return r
			}},
	}
	for _, call := range []string{"capture", "refund", "void"} {
		path := "/api/v1/payment/" + call
		all["POST "+path+" payment_id"] = guess{payments, names(path, "payment_id")}
	}
	for _, path := range []string{"/api/v1/session", "/api/v1/session/explain"} {
		all["POST "+path+" channel_id"] = guess{[]string{"channel", "channel3"}, requests(path, is("channel_id"))}
		all["POST "+path+" form_id"] = guess{like(clubForm), requests(path, is("form_id"))}
		all["POST "+path+" schedule_id"] = guess{[]string{"monthly", "monthly3"},
			requests(path, func(id string) func(map[string]any) {
				return func(body map[string]any) { body["recurring_init"], body["schedule_id"] = true, id }
			})}
		all["POST "+path+" card_token"] = guess{like(b.card), requests(path, func(id string) func(map[string]any) {
			return with("card_token", []string{id})
		})}
	}
	public := store.PublicID(b.session)
	for name, call := range map[string]guess{
		"GET /page/v1/{session}":              ofPage("GET", "/page/v1/{session}", ""),
		"POST /page/v1/{session}/pay":         ofPage("POST", "/page/v1/{session}/pay", `{"attempt":"a","method":"card"}`),
		"POST /page/v1/{session}/second-form": ofPage("POST", "/page/v1/{session}/second-form", `{"step":"1"}`),
		"POST /page/v1/{session}/another":     ofPage("POST", "/page/v1/{session}/another", ""),
		"POST /page/v1/{session}/cancel":      ofPage("POST", "/page/v1/{session}/cancel", ""),
		"POST /page/v1/{session}/more-time":   ofPage("POST", "/page/v1/{session}/more-time", ""),
		"POST /page/v1/{session}/remove-card": ofPage("POST", "/page/v1/{session}/remove-card", `{"saved":"saved-0"}`),
		"POST /page/v1/{session}/applepay":    ofPage("POST", "/page/v1/{session}/applepay", `{"domain":"a.example"}`),
		"GET /page/v1/{session}/return":       ofPage("GET", "/page/v1/{session}/return", ""),
	} {
		// Providers know the public part of a session's id, so the secret behind it is what is guessed.
		call.ids = like(public + strings.Repeat("0", 32))
		all[name+" session"] = call
	}
	return all
}

// idName is the name of a parameter or member that holds an id.
var idName = regexp.MustCompile(`^(session|card_token|recurring_token|recurring_init_trans_id|.*_id|Idempotency-Key)$`)

// placesOfIDs returns the places of infra/openapi.yaml where a merchant or a payer names something by an id.
func placesOfIDs(t *testing.T) (places []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "infra", "openapi.yaml"))
	var d map[string]any
	if err == nil {
		err = yaml.Unmarshal(text, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	at := func(value any, path ...string) map[string]any {
		for _, name := range path {
			object, _ := value.(map[string]any)
			if ref, ok := object["$ref"].(string); ok {
				object = d
				for part := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
					object, _ = object[part].(map[string]any)
				}
			}
			value = object[name]
		}
		object, _ := value.(map[string]any)
		return object
	}
	for path, item := range at(d, "paths") {
		for _, method := range []string{"get", "post"} {
			operation := at(item, method)
			tags := fmt.Sprint(operation["tags"])
			if operation == nil || tags != "[merchant]" && tags != "[page]" {
				continue
			}
			schema := at(operation, "requestBody", "content", "application/json", "schema", "properties")
			found := slices.Collect(maps.Keys(schema))
			if strings.Contains(path, "{session}") {
				found = append(found, "session")
			}
			for _, name := range found {
				if idName.MatchString(name) {
					places = append(places, strings.ToUpper(method)+" "+path+" "+name)
				}
			}
		}
	}
	return places
}

// An id of another merchant and one of nobody get the same response after the same requests to the store, at every
// place of the merchants' and the page's API that takes one.
func TestIDsCantBeProbed(t *testing.T) {
	w := open(t, monthly(nil), named(""), func(m *settings.Merchant) { m.Forms[0].ID = clubForm })
	w.connects(realBank, &provider{charge: onCharge(approved)})
	b := w.shop.owns(t)
	other := w.newShop("-2", monthly(nil), named("2"))
	own := other.begins("mine-1", "01/38")
	w.skip(20 * time.Second)
	used := names("/api/v1/payment/refund", "payment_id")(w.shop, b.settled)
	used.Header.Set("Idempotency-Key", "key-of-the-other")
	handler := w.server.Config.Handler
	handler.ServeHTTP(httptest.NewRecorder(), used)
	w.work()
	counted := &countingStore{Store: w.store}
	w.app.Core.Store = counted
	all := guesses(b, own)
	places := placesOfIDs(t)
	for _, place := range places {
		if all[place].asks == nil {
			t.Errorf("nothing is tried at %s", place)
		}
	}
	if len(places) < 20 {
		t.Errorf("only %d places", len(places))
	}
	for place, guess := range all {
		handler.ServeHTTP(httptest.NewRecorder(), guess.asks(other, guess.ids[0])) // reads settings and circuits
		did := map[string][]string{}
		for _, id := range guess.ids {
			before, out := counted.calls(), httptest.NewRecorder()
			handler.ServeHTTP(out, guess.asks(other, id))
			response := fmt.Sprint(out.Code, " ", out.Header().Get("Location"), out.Body)
			response = strings.NewReplacer(`"`+id+`"`, `"ID"`, "session="+id, "session=ID").Replace(response)
			if strings.HasSuffix(place, " card_token") {
				response = ofCardTokens.Replace(response)
			}
			response += counted.since(before)
			did[response] = append(did[response], id)
		}
		if len(did) != 1 {
			t.Errorf("%s tells ids apart: %s", place, inLines(did))
		}
	}
}

// ofCardTokens makes one of the two errors of a card_token that is nobody's and another merchant's. The specification
// gives each a code of its own; nobody guesses 64 random digits.
var ofCardTokens = strings.NewReplacer("205007", "205005", "Card token belongs to another merchant.",
	"Card token is not found.")

func inLines(did map[string][]string) (lines string) {
	for response, ids := range did {
		lines += fmt.Sprintf("\n  %q: %s", ids, response)
	}
	return lines
}
