package endpoint

import (
	"strings"
	"testing"

	"checkout/internal/local/cloud/template"
)

// The partitions of every operation are found, and an operation that names none is refused.
func TestLeadingKeys(t *testing.T) {
	statement := template.Statement{
		Actions: []string{"dynamodb:*"}, Resources: []string{tables + "T", tables + "T/index/due"},
		Conditions: []template.Condition{{Operator: "ForAllValues:StringLike", Key: "dynamodb:LeadingKeys",
			Values: []string{"mine/*"}}},
	}
	e, server := local(t, statement)
	hash := func(name string) []any { return []any{map[string]any{"AttributeName": name, "KeyType": "HASH"}} }
	e.config.Tables = []template.Table{{Name: "T", ARN: tables + "T", Definition: map[string]any{
		"KeySchema": hash("pk"), "GlobalSecondaryIndexes": []any{map[string]any{"IndexName": "due",
			"KeySchema": hash("shard")}},
	}}}
	for _, one := range []struct{ name, target, body string }{
		{"get", "GetItem", `{"TableName":"T","Key":{"pk":{"S":"PK"},"sk":{"S":"a"}}}`},
		{"get by ARN", "GetItem", `{"TableName":"` + tables + `T","Key":{"pk":{"S":"PK"}}}`},
		{"put", "PutItem", `{"TableName":"T","Item":{"pk":{"S":"PK"},"n":{"N":"1"}}}`},
		{"update", "UpdateItem", `{"TableName":"T","Key":{"pk":{"S":"PK"}}}`},
		{"delete", "DeleteItem", `{"TableName":"T","Key":{"pk":{"S":"PK"}}}`},
		{"query", "Query", `{"TableName":"T","KeyConditionExpression":"pk = :p AND begins_with(sk, :s)",` +
			`"ExpressionAttributeValues":{":p":{"S":"PK"},":s":{"S":"mine/"}}}`},
		{"query by another name", "Query",
			`{"TableName":"T","KeyConditionExpression":"#p=:p","ExpressionAttributeNames":{"#p":"pk"},` +
				`"ExpressionAttributeValues":{":p":{"S":"PK"}}}`},
		{"query of the index", "Query",
			`{"TableName":"T","IndexName":"due","KeyConditionExpression":"shard = :p AND at <= :n",` +
				`"ExpressionAttributeValues":{":p":{"S":"PK"},":n":{"N":"1"}}}`},
		{"batch", "BatchGetItem", `{"RequestItems":{"T":{"Keys":[{"pk":{"S":"mine/0"}},{"pk":{"S":"PK"}}]}}}`},
		{"transaction", "TransactWriteItems",
			`{"TransactItems":[{"Put":{"TableName":"T","Item":{"pk":{"S":"mine/0"}}}},{"Put":{"TableName":"T",` +
				`"Item":{"pk":{"S":"PK"}}}}]}`},
		{"transaction that deletes", "TransactWriteItems",
			`{"TransactItems":[{"Delete":{"TableName":"T","Key":{"pk":{"S":"PK"}}}}]}`},
	} {
		for partition, want := range map[string]int{"mine/1": 200, "other/1": 400, "mine": 400} {
			body := strings.ReplaceAll(one.body, "PK", partition)
			if status, response := call(t, server, "LOCALF", "DynamoDB_20120810."+one.target, body); status != want ||
				want == 400 && !strings.Contains(response, "AccessDenied") {
				t.Errorf("%s of %s: %d %s", one.name, partition, status, response)
			}
		}
	}
	for _, body := range []string{
		`{"TableName":"T","Key":{"sk":{"S":"mine/1"}}}`, `{"TableName":"U","Key":{"pk":{"S":"mine/1"}}}`,
		`{"TableName":"T","Key":{"pk":{"N":"1"}}}`,
		`{"TableName":"T","Key":{"pk":{"S":"mine/1"}},"Item":{"pk":{"S":"other/1"}}}`,
		`{"TableName":"T","KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"other/1"}]}}}`,
		`{"TableName":"T","Key":{"pk":{"S":"mine/1"}},"KeyConditionExpression":"pk = :p",` +
			`"ExpressionAttributeValues":{":p":{"S":"other/1"}}}`,
	} {
		if status, response := call(t, server, "LOCALF", "DynamoDB_20120810.GetItem", body); status != 400 ||
			!strings.Contains(response, "AccessDenied") {
			t.Errorf("%s: %d %s", body, status, response)
		}
	}
}

// What may be put in a transaction only is refused outside of one.
func TestEnclosingOperation(t *testing.T) {
	_, server := local(t, template.Statement{
		Actions: []string{"dynamodb:PutItem"}, Resources: []string{tables + "T"},
		Conditions: []template.Condition{{Operator: "ForAnyValue:StringEquals", Key: "dynamodb:EnclosingOperation",
			Values: []string{"TransactWriteItems"}}},
	})
	for _, one := range []struct {
		target, body string
		want         int
	}{
		{"TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"T","Item":{}}}]}`, 200},
		{"PutItem", `{"TableName":"T","Item":{}}`, 400},
	} {
		if status, response := call(t, server, "LOCALF", "DynamoDB_20120810."+one.target, one.body); status != one.want {
			t.Errorf("%s: %d %s", one.target, status, response)
		}
	}
}

// The encryption context of a request decides where a condition asks for it.
func TestEncryptionContextConditions(t *testing.T) {
	_, server := local(t, template.Statement{
		Actions: []string{"kms:GenerateDataKey"}, Resources: []string{"arn:s"},
		Conditions: []template.Condition{{Operator: "StringEquals", Key: "kms:EncryptionContext:use",
			Values: []string{"password", "callback"}}},
	})
	for context, want := range map[string]int{
		`{"use":"password"}`: 200, `{"use":"callback","more":"x"}`: 200, `{"use":"credentials"}`: 400,
		`{"other":"password"}`: 400, `{}`: 400, `null`: 400,
	} {
		body := `{"KeyId":"s","KeySpec":"AES_256","EncryptionContext":` + context + `}`
		if status, response := call(t, server, "LOCALF", "TrentService.GenerateDataKey", body); status != want {
			t.Errorf("%s: %d %s", context, status, response)
		}
	}
}
