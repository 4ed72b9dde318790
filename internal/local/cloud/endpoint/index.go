package endpoint

import (
	"encoding/json"
	"net/http"
	"sync"

	"checkout/internal/local/cloud/template"
)

// indexes stores which items are in a global secondary index, and under which key, to count what a write costs there:
// one unit for an item that enters or leaves an index, two for one that gets another key, none for one with the same
// key. That is true of indexes that project keys alone.
type indexes struct {
	mu     sync.Mutex
	tables map[string]tableKeys
	held   map[string]string // the key in an index by table, index and primary key; absent: not in it
}

// tableKeys are the attributes that keys of a table are made of.
type tableKeys struct {
	primary []string
	indexes map[string][]string // by name
}

func newIndexes(tables []template.Table) *indexes {
	x := &indexes{tables: map[string]tableKeys{}, held: map[string]string{}}
	for _, t := range tables {
		var definition struct {
			KeySchema              []keyAttribute
			GlobalSecondaryIndexes []struct {
				IndexName string
				KeySchema []keyAttribute
			}
		}
		text, err := json.Marshal(t.Definition)
		if err != nil || json.Unmarshal(text, &definition) != nil {
			continue // the engine says what is wrong with it
		}
		keys := tableKeys{primary: namesOf(definition.KeySchema), indexes: map[string][]string{}}
		for _, index := range definition.GlobalSecondaryIndexes {
			keys.indexes[index.IndexName] = namesOf(index.KeySchema)
		}
		x.tables[t.Name] = keys
	}
	return x
}

type keyAttribute struct{ AttributeName string }

func namesOf(schema []keyAttribute) []string {
	var names []string
	for _, a := range schema {
		names = append(names, a.AttributeName)
	}
	return names
}

// itemWrite is one item that a request puts or deletes.
type itemWrite struct {
	TableName string
	Item      map[string]json.RawMessage // that is put
	Key       map[string]json.RawMessage // that is deleted
}

// writes counts the units that a request wrote to indexes. UpdateItem and batches are not counted.
func (x *indexes) writes(q request, r response) int64 {
	if q.service != "dynamodb" || r.status != http.StatusOK {
		return 0
	}
	units := int64(0)
	for _, w := range itemWrites(q) {
		units += x.write(w)
	}
	return units
}

func itemWrites(q request) []itemWrite {
	switch q.operation {
	case "PutItem", "DeleteItem":
		var w itemWrite
		if json.Unmarshal(q.body, &w) == nil {
			return []itemWrite{w}
		}
	case "TransactWriteItems":
		var in struct {
			TransactItems []struct{ Put, Delete *itemWrite }
		}
		if json.Unmarshal(q.body, &in) != nil {
			return nil
		}
		var all []itemWrite
		for _, item := range in.TransactItems {
			for _, w := range []*itemWrite{item.Put, item.Delete} {
				if w != nil {
					all = append(all, *w)
				}
			}
		}
		return all
	}
	return nil
}

func (x *indexes) write(w itemWrite) int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	table := x.tables[w.TableName]
	attributes := w.Item
	if attributes == nil {
		attributes = w.Key
	}
	primary := keyText(attributes, table.primary)
	units := int64(0)
	for name, key := range table.indexes {
		id := w.TableName + "\x00" + name + "\x00" + primary
		before, after := x.held[id], keyText(w.Item, key)
		switch {
		case before == after:
			continue
		case before != "" && after != "":
			units += 2
		default:
			units++
		}
		x.held[id] = after
		if after == "" {
			delete(x.held, id)
		}
	}
	return units
}

// keyText is the key that an item's attributes make, "" where one is missing.
func keyText(item map[string]json.RawMessage, names []string) string {
	text := ""
	for _, name := range names {
		value, ok := item[name]
		if !ok {
			return ""
		}
		text += string(value) + "\x00"
	}
	return text
}
