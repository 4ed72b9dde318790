package cost

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/cloud/gateway"
	"checkout/internal/local/cloud/template"
	"checkout/internal/local/cost/monthly"
)

var update = flag.Bool("update", false, "write testdata")

// TestCounts compares what every operation uses with testdata/cost.golden (-update writes it), and with budgets that
// -update does not change.
func TestCounts(t *testing.T) {
	operations, err := Measure(t.Context(), "../../..", 1)
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/cost.golden"
	counts := tables(operations, counts)
	want, err := os.ReadFile(golden)
	if err != nil && !*update {
		t.Fatal(err)
	}
	if *update && !same(counts, string(want)) {
		if err := os.WriteFile(golden, []byte(counts), 0o644); err != nil {
			t.Fatal(err)
		}
		want = []byte(counts)
	}
	if !same(counts, string(want)) {
		t.Errorf("the counts have changed; if that is meant, run the test with -update\n%s\nwas\n%s", counts, want)
	}
	uses := map[string]Use{}
	for _, o := range operations {
		uses[o.Name] = o.Use
		if o.Use.Compute <= 0 {
			t.Errorf("%s took no time", o.Name)
		}
	}
	budgets := []struct {
		operation string
		what      string
		used      int64
		least     int64
		most      int64
	}{
		{session, "DynamoDB requests", uses[session].Of("dynamodb"), 1, 1},
		{session, "thousandths of a write unit", uses[session].WriteUnits, 1, 1000},
		{session, "thousandths of a read unit", uses[session].ReadUnits, 0, 0},
		{pageLoad, "DynamoDB requests", uses[pageLoad].Of("dynamodb"), 1, 1},
		{statusPayment, "DynamoDB requests", uses[statusPayment].Of("dynamodb"), 1, 1},
		{statusPayment, "thousandths of a write unit", uses[statusPayment].WriteUnits, 0, 0},
		{statusOrder, "DynamoDB requests", uses[statusOrder].Of("dynamodb"), 1, 1},
		{statusOrder, "thousandths of a write unit", uses[statusOrder].WriteUnits, 0, 0},
		{paidCheckout, "DynamoDB requests", uses[paidCheckout].Of("dynamodb"), 1, 12},
		{paidCheckout, "thousandths of a write unit", uses[paidCheckout].WriteUnits, 1, 19_000},
		{paidCheckout, "thousandths of an index write unit", uses[paidCheckout].IndexUnits, 1, 3000},
		{paidCheckout, "CloudFront requests", uses[paidCheckout].Front.Requests, 1, 8},
		{paidCheckout, "bytes to viewers", uses[paidCheckout].Front.Bytes, 1, 69_000},
		{paidCheckout, "bytes of log", uses[paidCheckout].LogBytes, 1, 4000},
		{paidCheckout, "micro-dollars a million all in, without KMS and Lambda's time",
			untimed(uses[paidCheckout]).AllIn() - priceOf(uses[paidCheckout]).Keys, 1, 38_000_000},
		{paidCheckout, "SQS requests", uses[paidCheckout].Of("sqs"), 1, 6},
		{paidCheckout, "KMS requests", uses[paidCheckout].Of("kms"), 0, 0},
		{refund, "DynamoDB requests", uses[refund].Of("dynamodb"), 1, 10},
		{refund, "thousandths of a write unit", uses[refund].WriteUnits, 1, 22_000},
		{refund, "KMS requests", uses[refund].Of("kms"), 0, 0},
		{capture, "DynamoDB requests", uses[capture].Of("dynamodb"), 1, 12},
		{void, "DynamoDB requests", uses[void].Of("dynamodb"), 1, 12},
		// One that follows its payment within 15 seconds first finds that one's lock, and replaces it.
		{retry, "DynamoDB requests", uses[retry].Of("dynamodb"), 1, 13},
		{later, "DynamoDB requests", uses[later].Of("dynamodb"), 1, 12},
		{later, "KMS requests", uses[later].Of("kms"), 0, 0},
		{savingCheckout, "DynamoDB requests", uses[savingCheckout].Of("dynamodb"), 1, 12},
		{savingCheckout, "KMS requests", uses[savingCheckout].Of("kms"), 0, 0},
		{savedCheckout, "KMS requests", uses[savedCheckout].Of("kms"), 0, 0},
		{keySession, "DynamoDB requests", uses[keySession].Of("dynamodb"), 1, 2},
		{keyAgain, "DynamoDB requests", uses[keyAgain].Of("dynamodb"), 1, 1},
		{explain, "DynamoDB requests", uses[explain].Of("dynamodb"), 0, 0},
		{keyAgain, "thousandths of a write unit", uses[keyAgain].WriteUnits, 0, 0},
		{walletCheckout, "DynamoDB requests", uses[walletCheckout].Of("dynamodb"), 1, 12},
		{walletCheckout, "thousandths of a write unit", uses[walletCheckout].WriteUnits, 1, 40_000},
		{walletCheckout, "KMS requests", uses[walletCheckout].Of("kms"), 0, 0},
		{walletCheckout, "bytes of log", uses[walletCheckout].LogBytes, 1, 4000},
		{walletFromServer, "DynamoDB requests", uses[walletFromServer].Of("dynamodb"), 1, 14},
		{walletFromServer, "thousandths of a write unit", uses[walletFromServer].WriteUnits, 1, 40_000},
		{walletFromServer, "KMS requests", uses[walletFromServer].Of("kms"), 0, 0},
		{virtualCheckout, "DynamoDB requests", uses[virtualCheckout].Of("dynamodb"), 1, 12},
		{virtualCheckout, "thousandths of a write unit", uses[virtualCheckout].WriteUnits, 1, 30_000},
		{virtualCheckout, "KMS requests", uses[virtualCheckout].Of("kms"), 0, 0},
		{listing, "thousandths of a write unit", uses[listing].WriteUnits, 1, 12_000},
		{listing, "thousandths of a read unit", uses[listing].ReadUnits, 1, 6000},
		{listing, "Lambda invocations", uses[listing].Calls(), 3, 3},
	}
	for _, b := range budgets {
		if b.used < b.least || b.used > b.most {
			t.Errorf("%s: %d %s, should be %d to %d", b.operation, b.used, b.what, b.least, b.most)
		}
	}
}

// same compares tables. Bytes, and the prices that contain them, may differ by a fiftieth, since logged times are not
// always of the same length.
func same(a, b string) bool {
	cells, others := strings.Fields(a), strings.Fields(b)
	return slices.EqualFunc(cells, others, func(cell, other string) bool {
		x, whole := decimal(cell)
		y, alsoWhole := decimal(other)
		if cell == other || whole || alsoWhole {
			return cell == other
		}
		return 50*max(x-y, y-x) <= max(x, y, 500)
	})
}

// decimal reads a number with a point, in hundredths. A whole number has to be the same in both tables.
func decimal(cell string) (hundredths int64, whole bool) {
	integer, fraction, found := strings.Cut(cell, ".")
	n, err := strconv.ParseInt(integer+(fraction + "00")[:2], 10, 64)
	return n, !found || err != nil
}

func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"kB 5.7 -", "kB  5.8 -", true}, {"kB 5.7", "kB 5.9", false}, {"0.8", "0.9", true}, {"0.8", "1.0", false},
		{"8.76", "8.80", true},
		{"7", "8", false}, {"32.0", "31.0", false}, {"-", "0.1", false}, {"a 1", "b 1", false}, {"1", "1 1", false},
	} {
		if got := same(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

func TestPrices(t *testing.T) {
	u := Use{
		Requests:    map[string]int64{"sqs:SendMessage": 2, "kms:Decrypt": 2, "dynamodb:PutItem": 9},
		Invocations: map[string]int64{"a": 1, "b": 2},
		ReadUnits:   1500, WriteUnits: 4000, API: 2, IndexUnits: 3000, LogBytes: 5000,
		Compute: 1024 * 10_000, // a GB for 10 ms
		Front:   gateway.Counts{Requests: 7, Functions: 1, Bytes: 40_000, OriginBytes: 2000},

		ProviderMB: 1536, ReceiverMB: 512, // 1.2 GB seconds, and 0.1
	}
	want := price{
		Writes: 2_500_000, Reads: 187_500, Queues: 800_000, Keys: 6_000_000, Calls: 600_000, Compute: 133_334, API: 2_000_000,
		Index: 1_875_000, Front: 7_100_000, FrontBytes: 3_440_000, Logs: 2_500_000,
	}
	if got := priceOf(u); got != want || got.Total() != 12_220_834 || got.AllIn() != 27_135_834 {
		t.Errorf("%+v, total %d, all in %d", got, got.Total(), got.AllIn())
	}
	waits := Waits{Provider: 800 * time.Millisecond, Receiver: 200 * time.Millisecond}
	text := tables([]Operation{{"everything", u}}, waits.prices)
	for _, row := range []string{"DynamoDB writes 2.50", "DynamoDB reads 0.19", "Lambda time 0.13", "total 12.22",
		"CloudFront bytes 3.44", "logs 2.50", "all in 27.14", "time at a provider 16.00", "time at a receiver 1.33"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), row) {
			t.Errorf("no %q in\n%s", row, text)
		}
	}
}

// The cost of a month is counted by what the golden file says of a payment, and by the time that functions wait.
func TestAPaymentOfTheMonth(t *testing.T) {
	text, err := os.ReadFile("testdata/cost.golden")
	if err != nil {
		t.Fatal(err)
	}
	prices, gap := map[string]int64{}, regexp.MustCompile(` {2,}`)
	for table := range strings.SplitSeq(string(text), "\n\n") {
		lines := strings.Split(strings.TrimSpace(table), "\n")
		names, cells := gap.Split(lines[0], -1), gap.Split(strings.TrimSpace(lines[len(lines)-1]), -1)
		if cells[0] != "all in, $ a million*" || len(cells) != len(names)+1 {
			t.Fatalf("%q of %q", cells, names)
		}
		for i, name := range names {
			cents, _ := decimal(cells[i+1])
			prices[name] = cents * 10_000
		}
	}
	stack, err := template.Read("../../../template.yaml", template.Options{StackName: "cost", Region: "eu-central-1",
		Account: "000000000000", QueueURL: func(name string) string { return name }})
	if err != nil {
		t.Fatal(err)
	}
	want := prices[paidCheckout] + prices[statusPayment] + prices[listing]
	for _, f := range stack.Functions {
		wait := map[string]time.Duration{"connector": 800 * time.Millisecond, "callback": 300 * time.Millisecond}[f.Name]
		want += computePrice(int64(f.MemoryMB) * wait.Microseconds())
	}
	if 50*max(want-monthly.Payment, monthly.Payment-want) > want {
		t.Errorf("a million payments cost %d micro-dollars, not %d", want, int64(monthly.Payment))
	}
}
