package endpoint

import (
	"encoding/json"
	"math/big"
	"net/http"
	"strings"
	"sync"
)

// Counts is what one function used since the last reset.
type Counts struct {
	Requests   map[string]int64 // by operation, such as dynamodb:PutItem
	ReadUnits  int64            // thousandths of a DynamoDB read capacity unit
	WriteUnits int64            // thousandths of a DynamoDB write capacity unit
	IndexUnits int64            // thousandths of a write unit for indexes, of transactions alone
	Messages   int64            // SQS messages sent
}

type counter struct {
	mu   sync.Mutex
	used map[string]*Counts
}

func (c *counter) add(q request, r response, indexWrites int64) {
	units, messages := capacity(q, r), sent(q, r)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.used == nil {
		c.used = map[string]*Counts{}
	}
	used := c.used[q.caller.Name]
	if used == nil {
		used = &Counts{Requests: map[string]int64{}}
		c.used[q.caller.Name] = used
	}
	used.Requests[q.name()]++
	used.Messages += messages
	if q.operation == "TransactWriteItems" {
		used.IndexUnits += 1000 * indexWrites
	}
	if reads[q.operation] {
		used.ReadUnits += units
	} else {
		used.WriteUnits += units
	}
}

var (
	reads  = map[string]bool{"GetItem": true, "BatchGetItem": true, "TransactGetItems": true, "Query": true, "Scan": true}
	writes = map[string]bool{"PutItem": true, "UpdateItem": true, "DeleteItem": true, "BatchWriteItem": true,
		"TransactWriteItems": true}
)

// measured is the ReturnConsumedCapacity of an operation, empty for those without that parameter.
func measured(operation string) string {
	if reads[operation] || writes[operation] {
		return "TOTAL"
	}
	return ""
}

// capacity is the consumed capacity of a DynamoDB response in thousandths of a unit. AWS charges for a failed
// conditional write too, but the response does not say how much: it counts as one item of up to 1 KB, and a cancelled
// transaction as a successful one.
func capacity(q request, r response) int64 {
	if q.service != "dynamodb" || measured(q.operation) == "" {
		return 0
	}
	if r.status != http.StatusOK {
		return refusedCapacity(q, r)
	}
	if q.operation == "TransactWriteItems" {
		return transactionUnits(q.body)
	}
	var out struct{ ConsumedCapacity json.RawMessage }
	if json.Unmarshal(r.body, &out) != nil {
		return 0
	}
	type consumed struct{ CapacityUnits json.Number }
	var one consumed
	if json.Unmarshal(out.ConsumedCapacity, &one) == nil {
		return thousandths(one.CapacityUnits)
	}
	var several []consumed
	if json.Unmarshal(out.ConsumedCapacity, &several) != nil {
		return 0
	}
	total := int64(0)
	for _, each := range several {
		total += thousandths(each.CapacityUnits)
	}
	return total
}

func refusedCapacity(q request, r response) int64 {
	var out struct {
		Kind string `json:"__type"`
	}
	if json.Unmarshal(r.body, &out) != nil {
		return 0
	}
	switch {
	case strings.HasSuffix(out.Kind, "#ConditionalCheckFailedException"):
		return 1000
	case strings.HasSuffix(out.Kind, "#TransactionCanceledException"):
		return transactionUnits(q.body)
	}
	return 0
}

func thousandths(number json.Number) int64 {
	units, ok := new(big.Rat).SetString(number.String())
	if !ok {
		return 0
	}
	units.Mul(units, big.NewRat(1000, 1))
	return new(big.Int).Quo(units.Num(), units.Denom()).Int64()
}

// sent is how many messages an SQS request has put on its queue.
func sent(q request, r response) int64 {
	if q.service != "sqs" || r.status != http.StatusOK {
		return 0
	}
	switch q.operation {
	case "SendMessage":
		return 1
	case "SendMessageBatch":
		var out struct{ Successful []json.RawMessage }
		if json.Unmarshal(r.body, &out) == nil {
			return int64(len(out.Successful))
		}
	}
	return 0
}
