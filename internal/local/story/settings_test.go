package story

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"checkout/internal/operator/grant"
)

// An administrator changes a merchant over HTTP: what was sent twice counts once, secrets that were made are told once,
// and a change of an older version is a conflict.
func TestSettingsOverHTTP(t *testing.T) {
	w := open(t)
	w.grants(grant.Grant{Who: "ann", Role: grant.Admin, Mode: grant.Both, Merchants: []string{grant.AllMerchants}})
	id := w.shop.merchant.ID
	call := func(want int, method, path, key string, body map[string]any) (out map[string]any) {
		t.Helper()
		if body != nil && !strings.HasSuffix(path, "/check") {
			body["reason"] = "The shop has asked for it."
		}
		response := w.admin(apiCall{who: "ann", method: method, path: "/admin/v1/merchants" + path, body: body, key: key})
		if response.Code != want {
			t.Fatalf("%s %s: %d %s", method, path, response.Code, response.Body)
		}
		if err := json.Unmarshal(response.Body.Bytes(), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	version := call(200, "GET", "/"+id, "", nil)["version"]
	draft := func(name, secret string) map[string]any {
		return map[string]any{"version": version, "settings": map[string]any{"name": name, "password": secret}}
	}
	checked := call(200, "POST", "/"+id+"/check", "", draft("Pens", "new-password"))
	if len(checked["changes"].([]any)) != 2 || len(checked["faults"].([]any)) != 0 || checked["version"] != version {
		t.Errorf("checked: %v", checked)
	}
	first := call(200, "POST", "/"+id+"/publish", "key-1", draft("Pens", "new-password"))
	again := call(200, "POST", "/"+id+"/publish", "key-1", draft("Pens", "new-password"))
	if first["version"] != version.(float64)+1 || again["version"] != first["version"] {
		t.Errorf("published: %v, again: %v", first, again)
	}
	call(http.StatusBadRequest, "POST", "/"+id+"/publish", "key-1", draft("Pens", "another-password"))
	conflict := call(http.StatusConflict, "POST", "/"+id+"/publish", "key-2", draft("Cups", "new-password"))
	hint := conflict["hint"].(map[string]any)
	if hint["version"] != first["version"] || len(hint["changes"].([]any)) != 1 {
		t.Errorf("conflict: %v", conflict)
	}
	faults := call(http.StatusBadRequest, "POST", "/"+id+"/publish", "key-3", map[string]any{
		"settings": map[string]any{"rate_limit": -1, "callback_secret": "plain"},
	})
	if len(faults["errors"].([]any)) != 2 {
		t.Errorf("faults: %v", faults)
	}
	made := call(200, "POST", "/"+id+"/rotate", "key-4", map[string]any{"what": "password", "overlap": "1h"})
	repeated := call(200, "POST", "/"+id+"/rotate", "key-4", map[string]any{"what": "password", "overlap": "1h"})
	if made["password"] == nil || repeated["password"] != nil || repeated["repeated"] != true {
		t.Errorf("rotated: %v, again: %v", made, repeated)
	}
	cups := call(200, "POST", "", "key-5", map[string]any{"id": "cups", "for": "own"})
	repeated = call(200, "POST", "", "key-5", map[string]any{"id": "cups", "for": "own"})
	if cups["password"] == nil || repeated["password"] != nil || repeated["repeated"] != true {
		t.Errorf("new: %v, again: %v", cups, repeated)
	}
	for _, secret := range []any{"new-password", made["password"], cups["password"], cups["callback_secret"]} {
		for _, record := range w.app.Store.Dump() {
			if strings.Contains(string(record.Doc), secret.(string)) {
				t.Errorf("%v is stored in %v", secret, record.Key)
			}
		}
	}
	versions := call(200, "GET", "/"+id+"/versions", "", nil)["versions"].([]any)
	if latest := versions[0].(map[string]any); latest["who"] != "ann" || latest["reason"] != "The shop has asked for it." {
		t.Errorf("versions: %v", versions)
	}
}

// Whoever may publish for all merchants adds one by a draft, once, whoever is faster. For all others a merchant that
// there is not is like one that they may not see.
func TestNewMerchantByDraft(t *testing.T) {
	w := open(t)
	all, one := []string{grant.AllMerchants}, []string{w.shop.merchant.ID, "cups"}
	w.grants(grant.Grant{Who: "ann", Role: grant.Admin, Mode: grant.Both, Merchants: all},
		grant.Grant{Who: "bob", Role: grant.Admin, Mode: grant.Both, Merchants: one},
		grant.Grant{Who: "live", Role: grant.Admin, Mode: grant.Live, Merchants: all},
		grant.Grant{Who: "developer", Role: grant.Developer, Mode: grant.Both, Merchants: all},
		grant.Grant{Who: "other", Role: grant.Admin, Mode: grant.Both, Merchants: []string{"mugs"}})
	draft := func(name string) map[string]any {
		return map[string]any{"version": 0, "settings": map[string]any{"id": "cups", "name": name, "mappings": []any{}}}
	}
	call := func(who, what, key string, body map[string]any) *httptest.ResponseRecorder {
		if what == "publish" {
			body["reason"] = "A new shop."
		}
		return w.admin(apiCall{who: who, method: "POST", path: "/admin/v1/merchants/cups/" + what, body: body, key: key})
	}
	hidden := w.admin(apiCall{who: "other", method: "POST", body: draft("Cups"),
		path: "/admin/v1/merchants/" + w.shop.merchant.ID + "/check"})
	before := len(w.app.Store.Dump())
	for _, who := range []string{"bob", "live", "developer", "other"} {
		for _, what := range []string{"check", "publish"} {
			if who == "developer" && what == "check" {
				continue // who may read the settings of all merchants
			}
			got := call(who, what, who+what, draft("Cups"))
			if got.Code != http.StatusNotFound || got.Body.String() != hidden.Body.String() {
				t.Errorf("%s, %s: %d %s", who, what, got.Code, got.Body)
			}
		}
	}
	for _, who := range []string{"ann", "developer"} {
		if got := call(who, "check", "", draft("Cups")); !strings.Contains(got.Body.String(), `"text":"is new"`) {
			t.Errorf("%s: %s", who, got.Body)
		}
	}
	const refused = 4 // of the audit log
	if now := len(w.app.Store.Dump()); now != before+refused {
		t.Errorf("%d documents are new", now-before)
	}
	first, again := call("ann", "publish", "key-1", draft("Cups")), call("ann", "publish", "key-1", draft("Cups"))
	if !strings.Contains(first.Body.String(), `"password":"`) || again.Code != http.StatusOK ||
		strings.Contains(again.Body.String(), "made") {
		t.Errorf("added: %s, again: %s", first.Body, again.Body)
	}
	late := call("ann", "publish", "key-2", draft("Mugs"))
	if late.Code != http.StatusConflict || !strings.Contains(late.Body.String(), `"text":"is new"`) {
		t.Errorf("added by two: %d %s", late.Code, late.Body)
	}
}
