package cost

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"checkout/internal/local/cloud/lambda"
)

// columns is how many operations a table has at most.
const columns = 5

// tables writes as many tables as the operations need.
func tables(operations []Operation, write func([]Operation) string) string {
	var all []string
	for some := range slices.Chunk(operations, columns) {
		all = append(all, write(some))
	}
	return strings.Join(all, "\n")
}

// counts is the table of what each operation uses, with a column for each.
func counts(operations []Operation) string {
	return table(operations, func(row func(string, func(Use) string)) {
		number := func(name string, of func(Use) int64) {
			row(name, func(u Use) string { return dashed(of(u), 1, 0) })
		}
		for _, service := range []struct{ name, title string }{
			{"dynamodb", "DynamoDB requests"}, {"sqs", "SQS requests"}, {"kms", "KMS requests"},
		} {
			number(service.title, func(u Use) int64 { return u.Of(service.name) })
			for _, name := range names(operations, func(u Use) map[string]int64 { return u.Requests }) {
				if operation, ok := strings.CutPrefix(name, service.name+":"); ok {
					number("  "+operation, func(u Use) int64 { return u.Requests[name] })
				}
			}
			if service.name == "dynamodb" {
				row("  write units", func(u Use) string { return dashed(u.WriteUnits, 1000, 1) })
				row("  index write units", func(u Use) string { return dashed(u.IndexUnits, 1000, 1) })
				row("  read units", func(u Use) string { return dashed(u.ReadUnits, 1000, 1) })
			}
		}
		number("Lambda invocations", Use.Calls)
		for _, name := range names(operations, func(u Use) map[string]int64 { return u.Invocations }) {
			number("  "+name, func(u Use) int64 { return u.Invocations[name] })
		}
		number("HTTP API requests", func(u Use) int64 { return u.API })
		number("CloudFront requests", func(u Use) int64 { return u.Front.Requests })
		number("  functions", func(u Use) int64 { return u.Front.Functions })
		row("  kB to viewers", func(u Use) string { return dashed(u.Front.Bytes, 1000, 1) })
		row("  kB to the API", func(u Use) string { return dashed(u.Front.OriginBytes, 1000, 1) })
		row("log kB", func(u Use) string { return dashed(u.LogBytes, 1000, 1) })
		row("total, $ a million*", func(u Use) string { return dashed(untimed(u).Total(), 1_000_000, 2) })
		row("all in, $ a million*", func(u Use) string { return dashed(untimed(u).AllIn(), 1_000_000, 2) })
	})
}

// untimed is the price without Lambda's time, which differs from machine to machine.
func untimed(u Use) price {
	p := priceOf(u)
	p.Compute = 0
	return p
}

// price is micro-dollars for a million of an operation.
type price struct {
	Writes, Reads, Queues, Keys, Calls, Compute, API int64

	Index, Front, FrontBytes, Logs int64 // not in Total
}

// priceOf applies the rates.
func priceOf(u Use) price {
	return price{
		Writes:  u.WriteUnits * writeUnitRate / 1000,
		Reads:   u.ReadUnits * readUnitRate / 1000,
		Queues:  u.Of("sqs") * queueRate,
		Keys:    u.Of("kms") * keyRate,
		Calls:   u.Calls() * callRate,
		Compute: computePrice(u.Compute),
		API:     u.API * apiRate,

		Index: u.IndexUnits * writeUnitRate / 1000,
		Front: u.Front.Requests*frontRate + u.Front.Functions*frontFunctionRate,
		// A million bytes are a thousandth of a GB.
		FrontBytes: (u.Front.Bytes*frontByteRate + u.Front.OriginBytes*originByteRate) / 1000,
		Logs:       u.LogBytes * logByteRate / 1000,
	}
}

// computePrice is the price of a million times MB times microseconds: a million times a millionth of a second is one
// second.
func computePrice(compute int64) int64 { return compute * (computeRate / 100) / 1024 / 10_000 }

// Waits is how long others take to respond to the functions. The price of that time is shown apart from all sums, since
// it is neither measured nor the service's.
type Waits struct {
	Provider time.Duration
	Receiver time.Duration // of callbacks
}

// AllIn is the sum of all that is counted.
func (p price) AllIn() int64 { return p.Total() + p.Index + p.Front + p.FrontBytes + p.Logs }

// Total is the sum of what the functions use: without CloudFront, logs and transactions' writes to indexes.
func (p price) Total() int64 {
	return p.Writes + p.Reads + p.Queues + p.Keys + p.Calls + p.Compute + p.API
}

// prices returns the table of what a million of each operation costs in dollars, with a column for each.
func (waits Waits) prices(operations []Operation) string {
	return table(operations, func(row func(string, func(Use) string)) {
		dollars := func(name string, of func(price) int64) {
			row(name, func(u Use) string { return dashed(of(priceOf(u)), 1_000_000, 2) })
		}
		dollars("DynamoDB writes", func(p price) int64 { return p.Writes })
		dollars("DynamoDB reads", func(p price) int64 { return p.Reads })
		dollars("SQS", func(p price) int64 { return p.Queues })
		dollars("KMS", func(p price) int64 { return p.Keys })
		dollars("Lambda requests", func(p price) int64 { return p.Calls })
		dollars("Lambda time", func(p price) int64 { return p.Compute })
		dollars("HTTP API", func(p price) int64 { return p.API })
		dollars("total", price.Total)
		dollars("index writes", func(p price) int64 { return p.Index })
		dollars("CloudFront requests", func(p price) int64 { return p.Front })
		dollars("CloudFront bytes", func(p price) int64 { return p.FrontBytes })
		dollars("logs", func(p price) int64 { return p.Logs })
		dollars("all in", price.AllIn)
		waited := func(name string, time time.Duration, memory func(Use) int64) {
			row(name, func(u Use) string {
				return dashed(computePrice(memory(u)*time.Microseconds()), 1_000_000, 2)
			})
		}
		waited("time at a provider", waits.Provider, func(u Use) int64 { return u.ProviderMB })
		waited("time at a receiver", waits.Receiver, func(u Use) int64 { return u.ReceiverMB })
	})
}

// Print writes both tables and what is not in them.
func Print(out io.Writer, operations []Operation, rounds int, waits Waits) {
	fmt.Fprintf(out, "What one operation uses, with warm functions\n\n%s\n", tables(operations, counts))
	fmt.Fprintf(out, "Dollars for a million of them (us-east-1, on demand, rates noted %s)\n\n%s\n",
		ratesDate, tables(operations, waits.prices))
	fmt.Fprintf(out, notes, rounds, waits.Provider, waits.Receiver, lambda.EventOverhead,
		emptyReceives, dashed(emptyReceives*queueRate/1_000_000, 1_000_000, 2))
}

// notes explain the tables.
const notes = `A checkout is create, load, pay, connector, callback, and one poll that finds it paid; a key is an
Idempotency-Key. The shop offers the test wallet, which loads nothing until it is pressed; a form with a vendor's
wallet that the browser can open loads 4 kB more, and 2 kB for the frame of Google Pay. A wallet's checkout is one
with a token of Apple Pay, made by the test wallet: the record by which a token is used once is written; the request to
the test wallet, and Apple Pay's for a merchant session, are not in it. A token from a server is one request, which
waits for the outcome. In the virtual flow the token is Google Pay's, for Stripe, which is simulated and sends no
notice. A session is the first of its order; each later one takes five write units and a read unit. All other
operations with a provider request include connector, callback and the sandbox's own ledger: a PutItem for a charge,
which live payments don't have ($0.63; for a retry also a GetItem), a BatchGetItem and a transaction for later
operations. capture, void, later payment and a token from a server load the payment twice; with a slower provider they
load it again after 150 ms, 350 ms, 750 ms and then every 400 ms, up to 7 s, for a read unit each.
A listing is what function index does for a paid checkout, in none of the other columns: it is called three times, for
the session, for the payment with its callback, and when nothing is new. Calls that come for other orders within the
same second are one. Lambda reads the table's stream without a charge.
Lambda time is this machine's, the mean of %d rounds, at the template's memory sizes and arm64's rate; totals
with * are without it. The time at a provider, or at a merchant's receiver of callbacks, is Lambda's, too: that of the
functions that wait for one which takes %s, or %s; PROVIDER and RECEIVER of make cost say other times. It is in no
sum. SQS receives and deletes are Lambda's own, one of each per invocation. A page load is that of a browser with an
empty cache, without the shop's logo; otherwise it loads the page alone. CloudFront's bytes are those of HTTP/1.1
with gzip: HTTP/2's headers and brotli are shorter. Its requests cost $0.20 a million more in Europe.
Log lines, also Lambda's own, are counted with the %d bytes that CloudWatch adds to each.
Not in the tables: receives without messages (about %d a month and queue, $%s), cold starts, pages that poll
more than once (with a slower provider: about $3 a million for each poll), traffic from functions to providers
and merchants ($0.09 a GB), CloudFront's requests to the bucket, TLS, storage of documents and logs, alarms and
custom metrics, the KMS keys themselves ($1 a month each), the key pair of a day, KMS requests at the start of
a function, a data key an hour for saved cards, the sweep of every minute and the guard of every five (infra/pci.md has
what that costs).
`

func names(operations []Operation, of func(Use) map[string]int64) []string {
	all := map[string]bool{}
	for _, o := range operations {
		for name := range of(o.Use) {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// table writes rows with a cell for each operation.
func table(operations []Operation, rows func(row func(name string, cell func(Use) string))) string {
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(name string, cell func(Operation) string) {
		fmt.Fprintf(w, "%-22s\t", name) // the first column is aligned left
		for _, o := range operations {
			fmt.Fprintf(w, "%s\t", cell(o))
		}
		fmt.Fprintln(w)
	}
	line("", func(o Operation) string { return o.Name })
	rows(func(name string, cell func(Use) string) { line(name, func(o Operation) string { return cell(o.Use) }) })
	w.Flush()
	return text.String()
}

// dashed writes value / unit with that many decimals, and 0 as a dash.
func dashed(value, unit int64, decimals int) string {
	if value == 0 {
		return "-"
	}
	if decimals == 0 {
		return fmt.Sprint(value / unit)
	}
	scale := int64(1)
	for range decimals {
		scale *= 10
	}
	rounded := (value*scale + unit/2) / unit
	return fmt.Sprintf("%d.%0*d", rounded/scale, decimals, rounded%scale)
}
