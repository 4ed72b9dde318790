package story

import (
	"encoding/json"
	"net/http"
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
