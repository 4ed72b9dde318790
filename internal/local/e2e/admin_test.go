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
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.cloud.AdminURL()+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
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
			w.t.Fatal(err)
		}
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	reply, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return response, string(reply)
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

// partitions are those of all documents, of each kind one.
var partitions = []string{
	"merchant/x", "merchants", "secret/password/x", "secret/credentials/x", "datakey/password", "key/x", "order/x",
	"card/x", "idempotency/x", "wallet/x", "sweep/payment", "release/page", "callback-circuit/x", "circuit/live/x",
	"operators", "audit/2026-11-23/0", "vault/public/x", "vault/private/x", "vault/card/x", "rows/live/x/2026-11-23/0",
	"journal/live/x/2026-11-23/0", "find/x", "active/2026-11-23", "sandbox/x",
}

// Of all documents adminread writes those of the audit log alone, and adminact no settings, keys, cards or secrets.
// Neither deletes anything, or reads a card, a key or a secret.
func TestWhatTheFunctionsForOperatorsMayDo(t *testing.T) {
	t.Parallel()
	w := open(t, func(c *cloud.Config) { c.Most = 1 })
	may := map[string]string{
		"adminread PutItem": " audit/2026-11-23/0 ",
		"adminread GetItem": " merchant/x merchants order/x callback-circuit/x circuit/live/x operators audit/2026-11-23/0 " +
			"rows/live/x/2026-11-23/0 journal/live/x/2026-11-23/0 find/x active/2026-11-23 ",
		"adminact PutItem": " order/x idempotency/x callback-circuit/x circuit/live/x operators audit/2026-11-23/0 ",
		"adminact GetItem": " merchant/x merchants order/x idempotency/x callback-circuit/x circuit/live/x operators " +
			"audit/2026-11-23/0 ",
	}
	for _, f := range w.cloud.Template().Functions {
		if !strings.HasPrefix(f.Name, "admin") {
			continue
		}
		for _, partition := range partitions {
			table := map[string]string{"vault": "VaultTable", "rows": "Listing", "journal": "Listing", "find": "Listing",
				"active": "Listing"}[partition[:max(strings.Index(partition, "/"), 0)]]
			if table == "" {
				table = "Table"
			}
			key := map[string]any{"pk": text(partition), "sk": text("x")}
			name := w.cloud.TableName(table)
			for operation, request := range map[string]any{
				"GetItem":    map[string]any{"TableName": name, "Key": key},
				"PutItem":    map[string]any{"TableName": name, "Item": key},
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
