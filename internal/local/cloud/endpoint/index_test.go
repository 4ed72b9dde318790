package endpoint

import (
	"net/http"
	"testing"

	"checkout/internal/local/cloud/template"
)

func TestIndexWrites(t *testing.T) {
	names := func(names ...string) (schema []any) {
		for _, name := range names {
			schema = append(schema, map[string]any{"AttributeName": name})
		}
		return schema
	}
	x := newIndexes([]template.Table{{Name: "T", Definition: map[string]any{
		"KeySchema":              names("pk", "sk"),
		"GlobalSecondaryIndexes": []any{map[string]any{"IndexName": "due", "KeySchema": names("shard", "at")}},
	}}, {Name: "U", Definition: map[string]any{"KeySchema": names("pk")}}})
	put := func(table, key, rest string) string {
		return `{"TableName":"` + table + `","Item":{"pk":{"S":"` + key + `"},"sk":{"S":"s"}` + rest + `}}`
	}
	const first, later = `,"shard":{"S":"1"},"at":{"N":"5"}`, `,"shard":{"S":"1"},"at":{"N":"6"}`
	steps := []struct {
		name, operation, body string
		status                int
		want                  int64
	}{
		{"not in the index", "PutItem", put("T", "a", ""), 200, 0},
		{"half a key", "PutItem", put("T", "a", `,"at":{"N":"5"}`), 200, 0},
		{"enters, but is refused", "PutItem", put("T", "a", first), http.StatusBadRequest, 0},
		{"enters", "PutItem", put("T", "a", first), 200, 1},
		{"stays", "PutItem", put("T", "a", first), 200, 0},
		{"moves", "PutItem", put("T", "a", later), 200, 2},
		{"another enters", "PutItem", put("T", "b", later), 200, 1},
		{"one leaves, one is deleted, one enters", "TransactWriteItems", `{"TransactItems":[{"Put":` + put("T", "a", "") + `},
			{"Delete":{"TableName":"T","Key":{"pk":{"S":"b"},"sk":{"S":"s"}}}},{"Put":` + put("T", "c", first) +
			`},{"ConditionCheck":{}}]}`, 200, 3},
		{"the same once more", "TransactWriteItems", `{"TransactItems":[{"Put":` + put("T", "c", first) + `}]}`, 200, 0},
		{"a table without index", "PutItem", put("U", "c", first), 200, 0},
	}
	for _, s := range steps {
		q := request{service: "dynamodb", operation: s.operation, body: []byte(s.body)}
		if got := x.writes(q, response{status: s.status}); got != s.want {
			t.Errorf("%s: %d units, want %d", s.name, got, s.want)
		}
	}
}
