package endpoint

import (
	"encoding/json"
	"regexp"

	"checkout/internal/local/cloud/template"
)

// unknownKey stands for a partition that can't be read from a request. No pattern of a policy matches it.
const unknownKey = "\x00"

// attribute is an attribute value of type string in DynamoDB's JSON.
type attribute struct{ S string }

type attributes map[string]attribute

// UnmarshalJSON reads the strings and skips all other types: only strings are partition keys here.
func (a *attributes) UnmarshalJSON(text []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	*a = attributes{}
	for name, value := range raw {
		var one attribute
		if json.Unmarshal(value, &one) == nil {
			(*a)[name] = one
		}
	}
	return nil
}

// keyed has the members of a request, or of an item in it, that name a table, an index and keys.
type keyed struct {
	TableName                 string
	IndexName                 string
	Key, Item                 attributes
	Keys                      []attributes // of a batch
	KeyConditionExpression    string
	KeyConditions             json.RawMessage // the older form of the expression, which is not understood
	ExpressionAttributeNames  map[string]string
	ExpressionAttributeValues attributes
}

var equality = regexp.MustCompile(`([#\w]+)\s*=\s*(:\w+)`)

// leadingKeys returns IAM's condition key dynamodb:LeadingKeys: the partition keys that a request names.
func (e *Endpoint) leadingKeys(table string, in keyed) template.Context {
	partition := e.partitionKey(table, in.IndexName)
	var found []string
	add := func(values attributes) {
		value, ok := values[partition]
		if !ok {
			value.S = unknownKey
		}
		found = append(found, value.S)
	}
	// All of them count, since it depends on the operation which of them it uses.
	for _, named := range append([]attributes{in.Key, in.Item}, in.Keys...) {
		if named != nil {
			add(named)
		}
	}
	if in.KeyConditions != nil {
		add(nil)
	}
	if in.KeyConditionExpression != "" {
		values := attributes{}
		for _, match := range equality.FindAllStringSubmatch(in.KeyConditionExpression, -1) {
			name := match[1]
			if known, ok := in.ExpressionAttributeNames[name]; ok {
				name = known
			}
			if value, ok := in.ExpressionAttributeValues[match[2]]; ok {
				values[name] = value
			}
		}
		add(values)
	}
	return template.Context{"dynamodb:leadingkeys": found}
}

// partitionKey is the name of the partition key of a table or of one of its indexes.
func (e *Endpoint) partitionKey(table, index string) string {
	for _, t := range e.config.Tables {
		if t.Name != table && t.ARN != table {
			continue
		}
		var definition struct {
			KeySchema              []keyPart
			GlobalSecondaryIndexes []struct {
				IndexName string
				KeySchema []keyPart
			}
		}
		text, err := json.Marshal(t.Definition)
		if err != nil || json.Unmarshal(text, &definition) != nil {
			return ""
		}
		if index == "" {
			return hashOf(definition.KeySchema)
		}
		for _, i := range definition.GlobalSecondaryIndexes {
			if i.IndexName == index {
				return hashOf(i.KeySchema)
			}
		}
	}
	return ""
}

type keyPart struct{ AttributeName, KeyType string }

func hashOf(schema []keyPart) string {
	for _, part := range schema {
		if part.KeyType == "HASH" {
			return part.AttributeName
		}
	}
	return ""
}
