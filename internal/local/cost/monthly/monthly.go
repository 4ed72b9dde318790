// Package monthly has the sizes of a stack, and what each costs a month by the rates of make cost.
package monthly

import (
	"fmt"
)

// Size is how large a stack is: how many payments it takes, and the parameters of its deployment.
type Size struct {
	Name       string
	For        string // whom it is for
	Payments   int64  // a month
	Pollers    int64  // of queues, that are paid by the hour
	Parameters map[string]string
}

// Sizes are those that an operator chooses from, the smallest first.
var Sizes = []Size{
	{Name: "try", For: "looking at it; no gradual releases, and logs for 30 days", Payments: 100,
		Parameters: map[string]string{"Canary": "false", "LogRetentionDays": "30"}},
	{Name: "small", For: "shops with up to 25 checkouts a second", Payments: 100_000},
	{Name: "large", For: "sales with hundreds of checkouts a second; needs higher quotas of AWS", Payments: 1_000_000,
		Pollers: 40, Parameters: map[string]string{
			"ConnectorPollers": "20", "CallbackPollers": "20", "ConnectorConcurrency": "600", "PageRate": "4000",
			"PayRate": "1000", "MerchantRate": "2000", "RouteBurst": "5000", "ConcurrencyLimit": "3200"}},
}

// Rates in micro-dollars.
const (
	// Payment is for a million paid checkouts, each with a status request and its listing for operators, with Lambda's
	// time for a provider that takes 800 ms and a receiver of callbacks that takes 300 ms.
	Payment = 56_660_000

	keyRate       = 1_000_000 // a KMS key a month
	secretRate    = 400_000   // a secret of Secrets Manager a month
	alarmRate     = 100_000   // an alarm a month
	metricRate    = 300_000   // a metric of one's own a month
	dashboardRate = 3_000_000 // a dashboard a month
	queueRate     = 260_000   // the requests to an empty queue a month
	pollerRate    = 6_750_000 // a poller that is always ready a month
	guardRate     = 420_000   // the guard's comparisons a month, see infra/pci.md
)

// What the templates have, whatever the size.
const (
	keys      = 5
	secrets   = 1
	alarms    = 54
	metrics   = 16 // that alarms watch; each connector in use adds some
	dashboard = 1
	queues    = 7 // that functions wait for
)

// fixed is what a stack costs without a payment, in micro-dollars a month.
const fixed = keys*keyRate + secrets*secretRate + alarms*alarmRate + metrics*metricRate + dashboard*dashboardRate +
	queues*queueRate + guardRate

// Dollars returns what a size costs a month, rounded to whole dollars.
func (s Size) Dollars() int64 {
	const dollar = 1_000_000
	return (fixed + s.Pollers*pollerRate + s.Payments*Payment/1_000_000 + dollar/2) / dollar
}

// Table returns the sizes for people, two lines each, since terminals may have 80 columns.
func Table() (text string) {
	for _, s := range Sizes {
		text += fmt.Sprintf("  %-6s about $%d a month with %s payments\n         for %s\n", s.Name, s.Dollars(),
			grouped(s.Payments), s.For)
	}
	return text
}

// Markdown returns the sizes as a table of a document.
func Markdown() string {
	text := "| Size | For | Payments a month | $ a month |\n|---|---|---|---|\n"
	for _, s := range Sizes {
		text += fmt.Sprintf("| %s | %s | %s | %d |\n", s.Name, s.For, grouped(s.Payments), s.Dollars())
	}
	return text
}

// grouped writes a number with commas between thousands.
func grouped(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}
