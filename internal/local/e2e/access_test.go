package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/local/cloud"
)

// without makes a copy of the template in which a piece of text in a section is replaced.
func without(t *testing.T, section, piece, instead string) func(*cloud.Config) {
	t.Helper()
	return withEdits(t, edit{section, piece, instead})
}

// edit replaces a piece of a section of the template, which has it once.
type edit struct{ section, piece, instead string }

// withEdits makes a copy of the template with all of these.
func withEdits(t *testing.T, edits ...edit) func(*cloud.Config) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "template.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range edits {
		head := []byte("\n  " + e.section + ":\n")
		before, after, found := bytes.Cut(text, head)
		end := bytes.Index(after, []byte("\n\n"))
		if !found || end < 0 || bytes.Count(after[:end], []byte(e.piece)) != 1 {
			t.Fatalf("%s in the template has no %q", e.section, e.piece)
		}
		changed := bytes.Replace(after[:end], []byte(e.piece), []byte(e.instead), 1)
		text = bytes.Join([][]byte{before, head, changed, after[end:]}, nil)
	}
	file := filepath.Join(t.TempDir(), "template.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return func(c *cloud.Config) { c.Template = file }
}

// A page without the permission to send jobs is refused; the sweep sends them instead.
func TestPageWithoutSendMessage(t *testing.T) {
	t.Parallel()
	w := open(t, without(t, "PageFunction", "- *send", "- *seal"))
	v := w.visit()
	v.pays("01/38")
	v.is("prepare")
	if log := w.cloud.Logs("page"); !strings.Contains(log, "AccessDenied") || !strings.Contains(log, "sqs:SendMessage") {
		t.Errorf("page was not refused: %s", log)
	}
	w.settle()
	v.is("settled")
}

// A connector without the permission for the vault's key decrypts no card and sends no charge.
func TestConnectorWithoutTheKey(t *testing.T) {
	t.Parallel()
	w := open(t, without(t, "ConnectorKeys", "kms:Decrypt, Resource: !GetAtt VaultKey.Arn",
		"kms:DescribeKey, Resource: !GetAtt VaultKey.Arn"))
	v := w.visit()
	v.send(v.fill("01/38"))
	w.until("the job has failed for good", func() bool { return w.depth("DeadTests").Visible == 1 })
	if log := w.cloud.Logs("connector"); !strings.Contains(log, "AccessDenied") || !strings.Contains(log, "kms:Decrypt") {
		t.Errorf("connector was not refused: %s", log)
	}
	v.is("prepare")
	if ledger := w.ledger(); len(ledger) != 0 {
		t.Errorf("ledger %v", ledger)
	}
	w.leakFree()
}

// Of all functions only the connector may unwrap the keys that decrypt cards, and only the sweep may make them.
func TestOnlyTheConnectorOpensCards(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.visit().sees("form")
	keys := w.vaulted("private")
	if len(keys) != 2 {
		t.Fatalf("%d keys of the day", len(keys))
	}
	var day card.DayKey
	if err := json.Unmarshal([]byte(keys[0].doc), &day); err != nil {
		t.Fatal(err)
	}
	wrapped, err := base64.RawURLEncoding.DecodeString(day.Wrapped)
	if err != nil {
		t.Fatal(err)
	}
	context := map[string]string{"day": day.Day}
	for _, f := range w.cloud.Template().Functions {
		for operation, may := range map[string]bool{
			"Decrypt":                             f.Name == "connector",
			"GenerateDataKeyPairWithoutPlaintext": makesDayKeys(f.Name),
		} {
			request := map[string]any{"CiphertextBlob": wrapped, "EncryptionContext": context}
			if operation != "Decrypt" {
				request = map[string]any{"KeyId": f.Environment["VAULT_KEY_ID"], "KeyPairSpec": "ECC_NIST_P256",
					"EncryptionContext": context}
				if !may {
					request["KeyId"] = w.cloud.Template().Keys[0].ARN
				}
			}
			body, err := json.Marshal(request)
			if err != nil {
				t.Fatal(err)
			}
			status, reply := w.as("LOCAL"+strings.ToUpper(f.ID), "TrentService."+operation, body)
			refused := status == http.StatusBadRequest && strings.Contains(reply, "AccessDenied")
			if may != (status == http.StatusOK) || refused == may {
				t.Errorf("%s, %s: %d %.200s", f.Name, operation, status, reply)
			}
		}
	}
}

// as calls AWS with an access key.
func (w *world) as(key, target string, body []byte) (int, string) {
	w.t.Helper()
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, w.cloud.EndpointURL(),
		bytes.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	request.Header.Set("X-Amz-Target", target)
	request.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential="+key+"/20200101/"+cloud.Region+"/kms/aws4_request, SignedHeaders=host, Signature=00")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	reply, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return response.StatusCode, string(reply)
}

// CloudFront adds the secret that the API requires. A function that is called without it refuses the call, whatever its
// headers.
func TestNothingWithoutCloudFront(t *testing.T) {
	t.Parallel()
	w := open(t)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.cloud.BaseURL()+"/api/v1/nothing", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Origin-Secret", "forged")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusNotFound ||
		!strings.Contains(string(body), `"errors":[{"error_code":100000,"error_message":"Not found."}]`) {
		t.Errorf("an unknown path through the door: %d %s %v", response.StatusCode, body, err)
	}
	for _, f := range w.cloud.Template().Functions {
		if f.Environment["ORIGIN_SECRET"] == "" {
			continue
		}
		const event = `{"version":"2.0","routeKey":"$default","rawPath":"/x","headers":{"x-origin-secret":"forged"},` +
			`"requestContext":{"http":{"method":"POST","path":"/x"}}}`
		result, err := w.cloud.Invoke(t.Context(), f.Name, []byte(event))
		if err != nil || !strings.Contains(string(result.Payload), `"statusCode":403`) {
			t.Errorf("%s past the door: %s %v", f.Name, result.Payload, err)
		}
	}
}

// decrypts returns the secrets that a function may decrypt. Only an operator and
// adminsettings may change settings, keys and secrets.
func decrypts(function string) []string {
	switch function {
	case "notify", "connector":
		return []string{"credentials"}
	case "callback":
		return []string{"password", "callback"}
	case "sweep", "unknown", "guard", "index", "archive", "adminread", "adminact", "adminlogin",
		"adminsettings":
		return nil
	}
	return []string{"password"}
}

func TestSecretsOfEveryFunction(t *testing.T) {
	t.Parallel()
	w := open(t, func(c *cloud.Config) { c.Most = 1 })
	table, key := w.cloud.TableName("Table"), w.cloud.AdminEnv("Table", "SecretsKey")("SECRETS_KEY_ID")
	get := func(caller, partition, sort string) (int, string) {
		body, err := json.Marshal(map[string]any{"TableName": table,
			"Key": map[string]any{"pk": text(partition), "sk": text(sort)}})
		if err != nil {
			t.Fatal(err)
		}
		return w.as(caller, "DynamoDB_20120810.GetItem", body)
	}
	for _, f := range w.cloud.Template().Functions {
		me := "LOCAL" + strings.ToUpper(f.ID)
		for _, use := range []string{"password", "callback", "credentials"} {
			may := slices.Contains(decrypts(f.Name), use)
			status, reply := get(me, "secret/"+use+"/shop", "secret")
			stores := f.Name == "adminsettings" // and so reads what is stored, encrypted
			if (status == http.StatusOK) != (may || stores) || !may && !stores && !strings.Contains(reply, "AccessDenied") {
				t.Errorf("%s reads the %s: %d %s", f.Name, use, status, reply)
			}
			if use == "credentials" {
				continue // a data key for each MID: internal/card/vault has a test of them
			}
			_, stored := get(cloud.AdminKey, "datakey/"+use, "pair")
			wrapped := regexp.MustCompile(`wrapped\\":\\"([^\\]+)`).FindStringSubmatch(stored)
			if wrapped == nil {
				t.Fatalf("no key pair: %s", stored)
			}
			body := `{"KeyId":"` + key + `","CiphertextBlob":"` + wrapped[1] + `","EncryptionContext":{"use":"` + use + `"}}`
			status, reply = w.as(me, "TrentService.Decrypt", []byte(body))
			if (status == http.StatusOK) != may || !may && !strings.Contains(reply, "AccessDenied") {
				t.Errorf("%s unwraps the key pair of %s: %d %s", f.Name, use, status, reply)
			}
		}
		for _, partition := range []string{"merchant/shop", "key/test-key", "key/new", "secret/password/shop",
			"datakey/password", "merchants"} {
			if f.Name == "adminsettings" && partition == "datakey/password" {
				continue // keys are made by themselves
			}
			body, err := json.Marshal(map[string]any{"TableName": table,
				"Item": map[string]any{"pk": text(partition), "sk": text("x")}})
			if err != nil {
				t.Fatal(err)
			}
			if status, reply := w.as(me, "DynamoDB_20120810.PutItem", body); status == http.StatusOK ||
				!strings.Contains(reply, "AccessDenied") {
				t.Errorf("%s writes %s: %d %s", f.Name, partition, status, reply)
			}
		}
	}
}

// Whoever takes a function over that payers or merchants call gets neither the private half of a key of the day, nor
// may it put a key of its own in the place of a public one, which the sweep alone writes.
func TestKeysOfTheDayInOtherHands(t *testing.T) {
	t.Parallel()
	w := open(t, func(c *cloud.Config) { c.Most = 1 })
	table, day := w.cloud.TableName("VaultTable"), time.Now().UTC().Format(time.DateOnly)
	for _, f := range w.cloud.Template().Functions {
		me := "LOCAL" + strings.ToUpper(f.ID)
		for _, half := range []string{"public", "private"} {
			key := map[string]any{"pk": text("vault/" + half + "/" + day), "sk": text("key")}
			item := map[string]any{"pk": key["pk"], "sk": text("another")} // where a document is left as it is
			read := map[string]any{table: map[string]any{"Keys": []any{key}}}
			seals, opens := f.Name == "page" || f.Name == "session", f.Name == "connector"
			for operation, may := range map[string]bool{
				"GetItem":      half == "public" && seals || half == "private" && opens,
				"BatchGetItem": half == "private" && opens || f.Name == "sweep",
				"PutItem":      f.Name == "sweep",
				"DeleteItem":   f.Name == "sweep",
			} {
				request := map[string]any{"TableName": table, "Key": key}
				switch operation {
				case "BatchGetItem":
					request = map[string]any{"RequestItems": read}
				case "PutItem":
					request = map[string]any{"TableName": table, "Item": item}
				case "DeleteItem":
					request["Key"] = item
				}
				body, err := json.Marshal(request)
				if err != nil {
					t.Fatal(err)
				}
				status, reply := w.as(me, "DynamoDB_20120810."+operation, body)
				if refused := strings.Contains(reply, "AccessDenied"); may != (status == http.StatusOK) || may == refused {
					t.Errorf("%s, %s of the %s half: %d %.200s", f.Name, operation, half, status, reply)
				}
			}
		}
	}
}

func text(s string) map[string]string { return map[string]string{"S": s} }

// Data keys are unwrapped once for each use when an environment starts, and by the connector once for each MID, as the
// key of the day; none is unwrapped for each request.
func TestDataKeysAreUnwrappedAtStart(t *testing.T) {
	t.Parallel()
	w := open(t, func(c *cloud.Config) { c.Most = 1 })
	for range 3 {
		v := w.visit()
		v.pays("01/38")
		v.is("settled")
		w.rest()
	}
	for name, used := range w.cloud.Snapshot() {
		uses := int64(len(decrypts(name)))
		if name == "connector" { // of its MID, the key of the day, and that of fingerprints
			uses = 3
		}
		if got := used.AWS.Requests["kms:Decrypt"]; got != uses*int64(used.ColdStarts) {
			t.Errorf("%s unwrapped %d data keys in %d starts", name, got, used.ColdStarts)
		}
	}
}

// A function without the permission to unwrap a data key that it needs fails, and logs why.
func TestSessionWithoutItsDataKey(t *testing.T) {
	t.Parallel()
	w := open(t, without(t, "SessionFunction", "kms:Decrypt", "kms:DescribeKey"))
	status, _ := w.call(http.MethodPost, "/api/v1/session", w.request("pen-1"))
	if log := w.cloud.Logs("session"); status < 500 || !strings.Contains(log, "AccessDenied") ||
		!strings.Contains(log, "kms:Decrypt") {
		t.Errorf("%d: %s", status, log)
	}
}
