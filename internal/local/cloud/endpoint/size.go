package endpoint

import (
	"encoding/base64"
	"encoding/json"
)

// transactionUnits is what a TransactWriteItems costs in thousandths of a write unit: two units per item and started
// KB. DynamoDB Local returns wrong numbers for transactions (one small item 4, three 16, four 4), so the cost is
// computed from the request. An item that is updated, deleted or checked counts as 1 KB. Writes to indexes are left
// out.
func transactionUnits(body []byte) int64 {
	var in struct {
		TransactItems []struct {
			Put *struct{ Item map[string]json.RawMessage }
		}
	}
	if json.Unmarshal(body, &in) != nil {
		return 0
	}
	total := int64(0)
	for _, item := range in.TransactItems {
		size := 1
		if item.Put != nil {
			size = itemSize(item.Put.Item)
		}
		total += 2000 * int64(max(1, (size+1023)/1024))
	}
	return total
}

// itemSize is the size of an item in bytes, by the rules of the DynamoDB manual.
func itemSize(item map[string]json.RawMessage) int {
	size := 0
	for name, value := range item {
		size += len(name) + valueSize(value)
	}
	return size
}

func valueSize(value json.RawMessage) int {
	var v struct {
		S      *string
		N      *string
		B      *string
		M      map[string]json.RawMessage
		L      []json.RawMessage
		SS, NS []string
		BS     []string
	}
	if json.Unmarshal(value, &v) != nil {
		return 0
	}
	switch {
	case v.S != nil:
		return len(*v.S)
	case v.N != nil:
		return len(*v.N)/2 + 1
	case v.B != nil:
		return base64.StdEncoding.DecodedLen(len(*v.B))
	case v.M != nil:
		return 3 + len(v.M) + itemSize(v.M)
	}
	if v.L == nil && v.SS == nil && v.NS == nil && v.BS == nil {
		return 1 // true, false and null
	}
	size := 0
	if v.L != nil {
		size = 3 + len(v.L)
	}
	for _, inner := range v.L {
		size += valueSize(inner)
	}
	for _, text := range append(append(v.SS, v.NS...), v.BS...) {
		size += len(text)
	}
	return size
}
