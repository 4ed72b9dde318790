package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/template"
	"checkout/internal/operator/grant"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// people are those of infra/iam, by their access keys, which are their secrets as well.
func people(t *testing.T) func(*cloud.Config) {
	t.Helper()
	return func(c *cloud.Config) {
		c.People = map[string]cloud.Person{}
		for _, name := range []string{"reader", "operator"} {
			text, err := os.ReadFile(filepath.Join(root, "infra", "iam", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			filled := strings.NewReplacer("{REGION}", cloud.Region, "{ACCOUNT}", "000000000000", "{ADMIN_API}", "adminapi")
			statements, err := template.ReadPolicy(name, []byte(filled.Replace(string(text))))
			if err != nil {
				t.Fatal(err)
			}
			c.People[name] = cloud.Person{
				ARN: "arn:aws:sts::000000000000:assumed-role/" + name + "/ann", Secret: name, Policies: statements,
			}
		}
	}
}

// admin calls the API for operators, signed by a person, "" for nobody.
func (w *world) admin(person, method, path, body string) (*http.Response, string) {
	w.t.Helper()
	return w.signed(person, "", method, path, body)
}

// act posts a body with an Idempotency-Key.
func (w *world) act(person, path, key, body string) (*http.Response, string) {
	w.t.Helper()
	return w.signed(person, key, http.MethodPost, path, body)
}

func (w *world) signed(person, key, method, path, body string) (*http.Response, string) {
	w.t.Helper()
	response, reply, err := w.trySigned(person, key, method, path, body)
	if err != nil {
		w.t.Fatal(err)
	}
	return response, reply
}

// trySigned is signed for goroutines, which may not end the test.
func (w *world) trySigned(person, key, method, path, body string) (*http.Response, string, error) {
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.cloud.AdminURL()+path, strings.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	secret := person
	if person == cloud.AdminKey {
		secret = cloud.AdminSecret
	}
	sum := sha256.Sum256([]byte(body))
	if person != "" {
		err := v4.NewSigner().SignHTTP(w.t.Context(), aws.Credentials{AccessKeyID: person, SecretAccessKey: secret}, r,
			hex.EncodeToString(sum[:]), "execute-api", cloud.Region, time.Now())
		if err != nil {
			return nil, "", err
		}
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	reply, err := io.ReadAll(response.Body)
	return response, string(reply), err
}

// IAM decides who reaches the functions for operators. These then ask for a grant.
func TestWhoReachesTheFunctionsForOperators(t *testing.T) {
	t.Parallel()
	w := open(t, people(t))
	const read, act = "/admin/v1/me", "/admin/v1/payments/x/refund"
	for _, c := range []struct {
		person, method, path string
		function             string // "" if none is called
	}{
		{cloud.AdminKey, "GET", read, "adminread"},
		{cloud.AdminKey, "POST", act, "adminact"},
		{"reader", "GET", "/admin/v1/export", "adminact"},
		{"reader", "GET", read, "adminread"},
		{"reader", "POST", act, ""},
		{"operator", "GET", read, "adminread"},
		{"operator", "POST", act, "adminact"},
		{"", "GET", read, ""},
		{"", "POST", act, ""},
		{"nobody", "GET", read, ""},
	} {
		before := w.cloud.Snapshot()
		response, reply := w.admin(c.person, c.method, c.path, "")
		for _, f := range []string{"adminread", "adminact"} {
			calls := w.cloud.Snapshot()[f].Invocations - before[f].Invocations
			if calls != 0 && f != c.function || calls != 1 && f == c.function {
				t.Errorf("%s %s by %q: %d calls of %s", c.method, c.path, c.person, calls, f)
			}
		}
		forbidden := response.StatusCode == http.StatusForbidden && reply == `{"message":"Forbidden"}`
		ours := response.Header.Get("X-Request-Id") != ""
		if forbidden != (c.function == "") || ours == forbidden {
			t.Errorf("%s %s by %q: %d %s", c.method, c.path, c.person, response.StatusCode, reply)
		}
	}
	if status, _ := w.call(http.MethodGet, read, nil); status == http.StatusOK {
		t.Error("the public API serves operators")
	}
}

// give stores grants for everything: roles of people by their ARNs.
func (w *world) give(roles map[string]string) {
	w.t.Helper()
	var grants []grant.Grant
	for who, role := range roles {
		grants = append(grants, grant.Grant{
			Who: who, Role: grant.Role(role), Merchants: []string{grant.AllMerchants}, Mode: grant.Both,
		})
	}
	w.grants(grants...)
}

// grants stores grants in place of all others.
func (w *world) grants(grants ...grant.Grant) {
	w.t.Helper()
	doc, err := json.Marshal(map[string]any{"grants": grants})
	if err != nil {
		w.t.Fatal(err)
	}
	item := map[string]any{"pk": text("operators"), "sk": text("operators"), "doc": text(string(doc)),
		"v": map[string]string{"N": "1"}}
	put := map[string]any{"TableName": w.cloud.TableName("Table"), "Item": item}
	if err := engines.Tables().Call(w.t.Context(), "PutItem", put, nil); err != nil {
		w.t.Fatal(err)
	}
}

// Whoever has a grant, finds payments and acts by the binaries, with the rights that their functions have.
func TestOperatorsAreServed(t *testing.T) {
	t.Parallel()
	w := open(t, people(t), streams)
	w.give(map[string]string{
		"arn:aws:sts::000000000000:assumed-role/operator/ann": "finance",
		"arn:aws:iam::000000000000:user/" + cloud.AdminKey:    "admin",
	})
	v := w.visit()
	v.pays("01/38")
	w.rest()
	w.untilListed()
	var found struct{ Rows []struct{ ID, State string } }
	response, reply := w.admin("operator", "GET", "/admin/v1/find?q="+v.order, "")
	if err := json.Unmarshal([]byte(reply), &found); err != nil || len(found.Rows) != 1 ||
		found.Rows[0].State != "settled" {
		t.Fatalf("%d %s %v", response.StatusCode, reply, err)
	}
	payment := "/admin/v1/payments/" + found.Rows[0].ID
	for _, path := range []string{
		"/admin/v1/me", "/admin/v1/describe", "/admin/v1/payments?mode=test", payment, "/admin/v1/totals?mode=test",
		"/admin/v1/export?mode=test&format=csv", "/admin/v1/under-way?mode=test", "/admin/v1/waiting",
		"/admin/v1/callbacks?mode=test", "/admin/v1/addresses", "/admin/v1/circuits", "/admin/v1/audit",
		"/admin/v1/audit/verify",
	} {
		if response, reply := w.admin("operator", "GET", path, ""); response.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %s", path, response.StatusCode, reply)
		}
	}
	response, reply = w.act("operator", payment+"/refund", "refund-1", `{"amount":"1.00","reason":"broken"}`)
	if response.StatusCode != http.StatusOK {
		t.Errorf("refund: %d %s", response.StatusCode, reply)
	}
	w.rest()
	again, reply := w.act("operator", payment+"/refund", "refund-1", `{"amount":"1.00","reason":"broken"}`)
	if again.StatusCode != http.StatusOK {
		t.Errorf("refund again: %d %s", again.StatusCode, reply)
	}
	for path, body := range map[string]string{
		"/admin/v1/callbacks/send":    `{"mode":"test","expected":0,"reason":"x"}`,
		"/admin/v1/circuits/close":    `{"merchant":"shop","mode":"test","mapping":"m","mid":"x","reason":"x"}`,
		"/admin/v1/addresses/open":    `{"merchant":"shop","mode":"test","url":"https://shop.example/","reason":"x"}`,
		"/admin/v1/operators/grant":   `{"who":"bob","role":"viewer","merchants":["*"],"mode":"both","reason":"x"}`,
		payment + "/callbacks/1/send": `{"reason":"x"}`,
		payment + "/look-up":          `{"reason":"x"}`,
	} {
		if response, reply := w.act(cloud.AdminKey, path, "", body); response.StatusCode >= http.StatusInternalServerError {
			t.Errorf("%s: %d %s", path, response.StatusCode, reply)
		}
	}
	offer := "/admin/v1/offer?mode=test&amount=1.00&currency=USD&merchant=shop"
	if response, reply := w.admin(cloud.AdminKey, "GET", offer, ""); response.StatusCode != http.StatusOK {
		t.Errorf("%s: %d %s", offer, response.StatusCode, reply)
	}
	trial := `{"merchant":"shop","amount":"1.00","currency":"USD","return_url":"https://a.example/","reason":"x"}`
	if response, reply := w.act(cloud.AdminKey, "/admin/v1/try", "", trial); response.StatusCode != http.StatusOK {
		t.Errorf("%s: %d %s", trial, response.StatusCode, reply)
	}
	if response, _ := w.admin("reader", "GET", "/admin/v1/me", ""); response.StatusCode != http.StatusForbidden {
		t.Errorf("without a grant: %d", response.StatusCode)
	}
	w.leakFree()
}

// partitions are those of all documents, of each kind one.
var partitions = []string{
	"merchant/x", "merchants", "secret/password/x", "secret/credentials/x", "datakey/password", "key/x", "order/x",
	"card/x", "idempotency/x", "wallet/x", "sweep/payment", "release/page", "callback-circuit/x", "circuit/live/x",
	"operators", "audit/2026-11-23/0", "vault/public/x", "vault/private/x", "vault/card/x", "rows/live/x/2026-11-23/0",
	"journal/live/x/2026-11-23/0", "find/x", "active/2026-11-23", "sandbox/x", "uses/x", "used/x", "sums/live/x",
	"blocks/live/x", "fingerprint-key",
}

// Adminread writes no document but sums of past days and entries of the audit log, and adminact no settings, keys,
// cards or secrets: adminsettings does, and nothing else.
// What people change is put in transactions alone, since it has its document of the audit log.
// None deletes anything, or reads a card.
func TestWhatTheFunctionsForOperatorsMayDo(t *testing.T) {
	t.Parallel()
	w := open(t, func(c *cloud.Config) { c.Most = 1 })
	may := map[string]string{
		"adminread GetItem": " merchant/x merchants order/x callback-circuit/x circuit/live/x operators " +
			"audit/2026-11-23/0 rows/live/x/2026-11-23/0 journal/live/x/2026-11-23/0 find/x " +
			"active/2026-11-23 uses/x used/x sums/live/x blocks/live/x ",
		"adminread PutItem": " sums/live/x ", "adminread TransactWriteItems": " audit/2026-11-23/0 sums/live/x ",
		"adminact PutItem": " idempotency/x ",
		"adminact TransactWriteItems": " order/x idempotency/x callback-circuit/x circuit/live/x operators " +
			"audit/2026-11-23/0 blocks/live/x ",
		"adminsettings PutItem": " datakey/password idempotency/x ",
		"adminsettings TransactWriteItems": " merchant/x merchants secret/password/x secret/credentials/x " +
			"datakey/password key/x idempotency/x audit/2026-11-23/0 ",
		"adminsettings GetItem": " merchant/x merchants secret/password/x secret/credentials/x datakey/password key/x " +
			"idempotency/x operators ",
		"adminact GetItem": " merchant/x merchants order/x idempotency/x callback-circuit/x circuit/live/x " +
			"operators rows/live/x/2026-11-23/0 journal/live/x/2026-11-23/0 active/2026-11-23 find/x blocks/live/x ",
	}
	for _, f := range w.cloud.Template().Functions {
		if !strings.HasPrefix(f.Name, "admin") {
			continue
		}
		for _, partition := range partitions {
			table := map[string]string{"vault": "VaultTable", "rows": "Listing", "journal": "Listing", "find": "Listing",
				"active": "Listing", "used": "Listing", "sums": "Listing"}[partition[:max(strings.Index(partition, "/"), 0)]]
			if table == "" {
				table = "Table"
			}
			key := map[string]any{"pk": text(partition), "sk": text("x")}
			name := w.cloud.TableName(table)
			for operation, request := range map[string]any{
				"GetItem": map[string]any{"TableName": name, "Key": key},
				"PutItem": map[string]any{"TableName": name, "Item": key},
				"TransactWriteItems": map[string]any{"TransactItems": []any{
					map[string]any{"Put": map[string]any{"TableName": name, "Item": key}},
				}},
				"DeleteItem": map[string]any{"TableName": name, "Key": key},
				"UpdateItem": map[string]any{"TableName": name, "Key": key},
				"Scan":       map[string]any{"TableName": name},
			} {
				body, err := json.Marshal(request)
				if err != nil {
					t.Fatal(err)
				}
				status, reply := w.as("LOCAL"+strings.ToUpper(f.ID), "DynamoDB_20120810."+operation, body)
				allowed := strings.Contains(may[f.Name+" "+operation], " "+partition+" ")
				refused := strings.Contains(reply, "AccessDenied")
				if allowed != (status == http.StatusOK) || allowed == refused {
					t.Errorf("%s, %s of %s: %d %.200s", f.Name, operation, partition, status, reply)
				}
			}
		}
	}
}
