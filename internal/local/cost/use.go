package cost

import (
	"maps"
	"slices"
	"strings"

	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/gateway"
	"checkout/internal/local/cloud/template"
)

// Use is what one operation uses of AWS. Except for Compute it is the same on every machine, to a few bytes, since logs
// contain times.
type Use struct {
	Requests    map[string]int64 // by operation, such as dynamodb:PutItem, of DynamoDB, SQS and KMS
	ReadUnits   int64            // thousandths of a DynamoDB read request unit
	WriteUnits  int64            // thousandths of a DynamoDB write request unit
	IndexUnits  int64            // the same for transactions' writes to indexes, which WriteUnits does not have
	Invocations map[string]int64 // by function
	API         int64            // HTTP API requests
	Compute     int64            // MB times microseconds that Lambda would charge for
	Front       gateway.Counts   // requests and bytes of CloudFront; its LogBytes are in LogBytes
	LogBytes    int64            // of functions, Lambda and the HTTP API
	ProviderMB  int64            // memory of all invocations that wait for a provider
	ReceiverMB  int64            // and of those that wait for a merchant's receiver of callbacks
}

// Of is the sum of a service's requests, such as "dynamodb".
func (u Use) Of(service string) int64 {
	total := int64(0)
	for name, n := range u.Requests {
		if strings.HasPrefix(name, service+":") {
			total += n
		}
	}
	return total
}

// Calls is the sum of all invocations.
func (u Use) Calls() int64 {
	total := int64(0)
	for n := range maps.Values(u.Invocations) {
		total += n
	}
	return total
}

// startedHalf is how much rounding up to milliseconds adds to an invocation on average, in microseconds.
const startedHalf = 500

// useOf adds up what all functions used. The endpoint counts the functions' own requests. Lambda itself receives and
// deletes the messages of a queue, in one request each for an invocation. waits is a function that waits for the
// outcome of the connector's request to a provider, "" for none.
func useOf(t *template.Template, used map[string]cloud.Usage, front gateway.Counts, waits string) Use {
	routes := t.APIs[template.PublicAPI].Routes
	u := Use{Requests: map[string]int64{}, Invocations: map[string]int64{}, Front: front, LogBytes: front.LogBytes}
	for _, f := range t.Functions {
		usage := used[f.Name]
		n := usage.Invocations
		if n > 0 {
			u.Invocations[f.Name] = n
		}
		for name, requests := range usage.AWS.Requests {
			u.Requests[name] += requests
		}
		if n > 0 && len(f.Queues) > 0 {
			u.Requests["sqs:ReceiveMessage"] += n
			u.Requests["sqs:DeleteMessage"] += n
		}
		if slices.ContainsFunc(routes, func(r template.Route) bool { return r.Function == f.Name }) {
			u.API += n
		}
		u.ReadUnits += usage.AWS.ReadUnits
		u.WriteUnits += usage.AWS.WriteUnits
		u.IndexUnits += usage.AWS.IndexUnits
		u.LogBytes += usage.LogBytes
		switch f.Name {
		case "connector", waits:
			u.ProviderMB += n * int64(f.MemoryMB)
		case "callback":
			u.ReceiverMB += n * int64(f.MemoryMB)
		}
		u.Compute += int64(f.MemoryMB) * (usage.Duration.Microseconds() + n*startedHalf)
	}
	return u
}
