package endpoint

import (
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"checkout/internal/local/cloud/template"
)

const tables = "arn:aws:dynamodb:r:1:table/"

const roleF = "arn:aws:iam::1:role/stack-fRole"

// byAccount leaves a key to the policies of the account.
var byAccount = []template.KeyStatement{{Principals: []string{"arn:aws:iam::1:root"}, Actions: []string{"kms:*"}}}

// local is an endpoint for a function f with an engine that returns the request.
func local(t *testing.T, policies ...template.Statement) (*Endpoint, *httptest.Server) {
	t.Helper()
	engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }))
	t.Cleanup(engine.Close)
	e, err := New(Config{
		Region: "r", Account: "1", DynamoDB: engine.URL, SQS: engine.URL, Queues: map[string]string{"q": "http://engine/1/q"},
		Callers: map[string]Caller{"LOCALF": {Name: "f", FullName: "stack-f", RoleARN: roleF, Policies: policies}},
		Keys: []template.Key{
			{KeyID: "k", ARN: "arn:k", Spec: "ECC_NIST_P256", Usage: "KEY_AGREEMENT", Policy: byAccount},
			{KeyID: "s", ARN: "arn:s", Spec: "SYMMETRIC_DEFAULT", Usage: "ENCRYPT_DECRYPT", Policy: byAccount},
			{KeyID: "d", ARN: "arn:d", Spec: "SYMMETRIC_DEFAULT", Usage: "ENCRYPT_DECRYPT", Policy: append(byAccount,
				template.KeyStatement{Deny: true, Principals: []string{"*"}, Actions: []string{"kms:Decrypt"},
					Conditions: []template.Condition{{Operator: "ArnNotEquals", Key: "aws:PrincipalArn",
						Values: []string{"arn:aws:iam::1:role/other"}}}})},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	return e, server
}

func call(t *testing.T, server *httptest.Server, key string, targetAndBody ...string) (int, string) {
	t.Helper()
	request, _ := http.NewRequest("POST", server.URL, strings.NewReader(targetAndBody[1]))
	request.Header.Set("X-Amz-Target", targetAndBody[0])
	request.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential="+key+"/20260101/r/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err.Error()
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(body)
}

func TestPermissions(t *testing.T) {
	allow := func(action string, resources ...string) template.Statement {
		return template.Statement{Actions: []string{action}, Resources: resources}
	}
	const dynamo, sqs = "DynamoDB_20120810.", "AmazonSQS."
	cases := []struct {
		name         string
		policy       template.Statement
		target, body string
		status       int
		response     string
	}{
		{"allowed", allow("dynamodb:GetItem", tables+"T"), dynamo + "GetItem", `{"TableName":"T"}`, 200,
			`"ReturnConsumedCapacity":"TOTAL"`},
		{"table by ARN", allow("dynamodb:GetItem", tables+"T"), dynamo + "GetItem", `{"TableName":"` + tables + `T"}`, 200,
			""},
		{"another table", allow("dynamodb:GetItem", tables+"T"), dynamo + "GetItem", `{"TableName":"U"}`, 400,
			"AccessDeniedException"},
		{"another action", allow("dynamodb:GetItem", tables+"T"), dynamo + "PutItem", `{"TableName":"T"}`, 400,
			"not authorized to perform: dynamodb:PutItem on resource: " + tables + "T"},
		{"index needs its own", allow("dynamodb:Query", tables+"T"), dynamo + "Query", `{"TableName":"T","IndexName":"due"}`,
			400, tables + "T/index/due"},
		{"index", allow("dynamodb:Query", tables+"T/index/*"), dynamo + "Query", `{"TableName":"T","IndexName":"due"}`, 200,
			""},
		{"scan of an index", allow("dynamodb:Scan", tables+"T/index/due"), dynamo + "Scan",
			`{"TableName":"T","IndexName":"due"}`, 200, `"ReturnConsumedCapacity":"TOTAL"`},
		{"scan of its table", allow("dynamodb:Scan", tables+"T/index/due"), dynamo + "Scan", `{"TableName":"T"}`, 400,
			"dynamodb:Scan on resource: " + tables + "T"},
		{"transaction by its items", allow("dynamodb:PutItem", tables+"T"), dynamo + "TransactWriteItems",
			`{"TransactItems":[{"Put":{"TableName":"T"}},{"ConditionCheck":{"TableName":"T"}}]}`, 400,
			"dynamodb:ConditionCheckItem"},
		{"transaction's own action is none", allow("dynamodb:TransactWriteItems", tables+"T"), dynamo + "TransactWriteItems",
			`{"TransactItems":[{"Put":{"TableName":"T"}}]}`, 400, "dynamodb:PutItem"},
		{"transact get", allow("dynamodb:GetItem", tables+"T"), dynamo + "TransactGetItems",
			`{"TransactItems":[{"Get":{"TableName":"T"}}]}`, 200, ""},
		{"batch get is its own action", allow("dynamodb:GetItem", tables+"T"), dynamo + "BatchGetItem",
			`{"RequestItems":{"T":{}}}`, 400, "dynamodb:BatchGetItem"},
		{"batch get", allow("dynamodb:BatchGetItem", tables+"*"), dynamo + "BatchGetItem", `{"RequestItems":{"T":{}}}`, 200,
			""},
		{"broken body", allow("*", "*"), dynamo + "GetItem", `[`, 400, "ValidationException"},
		{"send", allow("sqs:SendMessage", "arn:aws:sqs:r:1:q"), sqs + "SendMessage", `{"QueueUrl":"http://here/1/q"}`, 200,
			`"QueueUrl":"http://engine/1/q"`},
		{"batch counts as send", allow("sqs:sendmessage", "arn:aws:sqs:r:1:q"), sqs + "SendMessageBatch",
			`{"QueueUrl":"http://here/1/q"}`, 200, ""},
		{"another queue", allow("sqs:SendMessage", "arn:aws:sqs:r:1:q"), sqs + "SendMessage",
			`{"QueueUrl":"http://here/1/p"}`, 403, "AccessDeniedException"},
		{"key pair", allow("kms:GenerateDataKeyPairWithoutPlaintext", "arn:s"),
			"TrentService.GenerateDataKeyPairWithoutPlaintext", `{"KeyId":"s","KeyPairSpec":"ECC_NIST_P256"}`, 200,
			`"PrivateKeyCiphertextBlob"`},
		{"key pair refused", allow("kms:GenerateDataKey", "arn:s"), "TrentService.GenerateDataKeyPairWithoutPlaintext",
			`{"KeyId":"s","KeyPairSpec":"ECC_NIST_P256"}`, 400, "AccessDeniedException"},
		{"key pair of another kind", allow("kms:*", "*"), "TrentService.GenerateDataKeyPairWithoutPlaintext",
			`{"KeyId":"s","KeyPairSpec":"RSA_2048"}`, 400, "ValidationException"},
		{"key pair of the wrong key", allow("kms:*", "*"), "TrentService.GenerateDataKeyPairWithoutPlaintext",
			`{"KeyId":"k","KeyPairSpec":"ECC_NIST_P256"}`, 400, "UnsupportedOperationException"},
		{"denied by the key's policy", allow("*", "*"), "TrentService.Decrypt", `{"KeyId":"d","CiphertextBlob":"AAAA"}`, 400,
			"explicit deny in a resource-based policy"},
		{"not denied by the key's policy", allow("*", "*"), "TrentService.GenerateDataKey",
			`{"KeyId":"d","KeySpec":"AES_256"}`, 200, ""},
		{"unknown key", allow("kms:*", "*"), "TrentService.GenerateDataKey", `{"KeyId":"x"}`, 400, "NotFoundException"},
		{"other operation", allow("kms:*", "*"), "TrentService.Encrypt", `{"KeyId":"s"}`, 400,
			"UnsupportedOperationException"},
		{"data key", allow("kms:GenerateDataKey", "arn:s"), "TrentService.GenerateDataKey",
			`{"KeyId":"s","KeySpec":"AES_256"}`, 200, `"CiphertextBlob"`},
		{"data key refused", allow("kms:Decrypt", "arn:s"), "TrentService.GenerateDataKey",
			`{"KeyId":"s","KeySpec":"AES_256"}`, 400, "AccessDeniedException"},
		{"data key of another key", allow("kms:*", "arn:k"), "TrentService.GenerateDataKey",
			`{"KeyId":"s","KeySpec":"AES_256"}`, 400, "AccessDeniedException"},
		{"data key of the wrong kind", allow("kms:*", "*"), "TrentService.GenerateDataKey",
			`{"KeyId":"k","KeySpec":"AES_256"}`, 400, "UnsupportedOperationException"},
		{"data key of another size", allow("kms:*", "*"), "TrentService.GenerateDataKey", `{"KeyId":"s","KeySpec":"AES_128"}`,
			400, "ValidationException"},
		{"no ciphertext", allow("kms:*", "*"), "TrentService.Decrypt", `{}`, 400, "ValidationException"},
		{"no ciphertext of a key", allow("kms:*", "*"), "TrentService.Decrypt", `{"KeyId":"s"}`, 400, "ValidationException"},
		{"broken ciphertext", allow("kms:*", "*"), "TrentService.Decrypt", `{"CiphertextBlob":"AAAA"}`, 400,
			"InvalidCiphertextException"},
		{"broken ciphertext of a key", allow("kms:*", "*"), "TrentService.Decrypt", `{"KeyId":"s","CiphertextBlob":"AAAA"}`,
			400, "InvalidCiphertextException"},
		{"ciphertext of an unknown key", allow("kms:*", "*"), "TrentService.Decrypt", `{"CiphertextBlob":"eApB"}`, 400,
			"AccessDeniedException"},
		{"broken body for a key", allow("kms:*", "*"), "TrentService.Decrypt", `[`, 400, "ValidationException"},
		{"unknown service", allow("*", "*"), "Other.Op", `{}`, 400, "UnknownOperationException"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, server := local(t, c.policy)
			if status, said := call(t, server, "LOCALF", c.target, c.body); status != c.status ||
				!strings.Contains(said, c.response) {
				t.Errorf("%d %s", status, said)
			}
		})
	}
}

func TestDenyWinsAndStrangersAreRefused(t *testing.T) {
	all := template.Statement{Actions: []string{"*"}, Resources: []string{"*"}}
	deny := template.Statement{Deny: true, Actions: []string{"dynamodb:Delete*"}, Resources: []string{"*"}}
	e, server := local(t, all, deny)
	if status, said := call(t, server, "LOCALF", "DynamoDB_20120810.DeleteItem", `{"TableName":"T"}`); status != 400 ||
		!strings.Contains(said, "AccessDenied") {
		t.Errorf("denied: %d %s", status, said)
	}
	if status, said := call(t, server, "STRANGER", "DynamoDB_20120810.GetItem", `{"TableName":"T"}`); status != 400 ||
		!strings.Contains(said, "UnrecognizedClientException") {
		t.Errorf("stranger: %d %s", status, said)
	}
	if status, _ := call(t, server, AdminKey, "DynamoDB_20120810.DeleteItem", `{"TableName":"T"}`); status != 200 {
		t.Errorf("administrator: %d", status)
	}
	if counts := e.Counts(); len(counts) != 0 {
		t.Errorf("refused calls and the administrator's were counted: %+v", counts)
	}
}

// Every response has the checksum of its body, which the SDK compares: an engine's, one that is refused, and a fault.
func TestChecksums(t *testing.T) {
	e, server := local(t, template.Statement{Actions: []string{"dynamodb:GetItem"}, Resources: []string{"*"}})
	seen := map[int]bool{}
	for _, target := range []string{"GetItem", "PutItem", "GetItem"} {
		if seen[http.StatusBadRequest] {
			e.Inject(Fault{Do: Refuse})
		}
		request, _ := http.NewRequest("POST", server.URL, strings.NewReader(`{"TableName":"T"}`))
		request.Header.Set("X-Amz-Target", "DynamoDB_20120810."+target)
		request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=LOCALF/20260101/r/dynamodb/aws4_request")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		seen[response.StatusCode] = true
		if got, want := response.Header.Get("X-Amz-Crc32"), fmt.Sprint(crc32.ChecksumIEEE(body)); got != want {
			t.Errorf("%s, status %d: the checksum is %q, not %s", target, response.StatusCode, got, want)
		}
	}
	if !seen[200] || !seen[400] || !seen[500] {
		t.Errorf("the statuses %v", seen)
	}
}

func TestFaultsSkipAndEnd(t *testing.T) {
	e, server := local(t, template.Statement{Actions: []string{"*"}, Resources: []string{"*"}})
	drop := e.Inject(Fault{Function: "f", Operation: "dynamodb:UpdateItem", Skip: 1, Times: 2})
	e.Inject(Fault{Function: "g", Do: Refuse})
	var got []int
	for range 5 {
		status, _ := call(t, server, "LOCALF", "DynamoDB_20120810.UpdateItem", `{"TableName":"T"}`)
		got = append(got, status)
	}
	if want := [5]int{200, 0, 0, 200, 200}; [5]int(got) != want || drop.Hits() != 2 {
		t.Errorf("returned %v, hits %d", got, drop.Hits())
	}
	if n := e.Counts()["f"].Requests["dynamodb:UpdateItem"]; n != 5 {
		t.Errorf("counted %d: a call whose response is dropped is made", n)
	}
}
