package story

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/local/cloud/alarm"
	"checkout/internal/local/cloud/template"
	"checkout/internal/payment"
	"checkout/internal/settings"
)

// alarms returns the alarms of template.yaml for the stack "local", which is the stack of the metrics in stories.
func alarms(t *testing.T) []template.Alarm {
	t.Helper()
	s, err := template.Read("../../template.yaml", template.Options{
		StackName: "local", Region: "eu-central-1", Account: "000000000000",
		QueueURL: func(name string) string { return "http://sqs/" + name },
	})
	if err != nil {
		t.Fatal(err)
	}
	return s.Alarms
}

// goOff returns the alarms on our own metrics that go off because of what was logged since a time.
func (w *World) goOff(t *testing.T, since time.Time) (names []string) {
	t.Helper()
	data, err := alarm.Read(w.log.String())
	if err != nil {
		t.Fatal(err)
	}
	if len(data) == 0 && w.shop.live {
		t.Fatal("nothing was measured")
	}
	for _, a := range alarms(t) {
		silent := a.Missing == "breaching" // of what no story runs
		if a.Metrics[0].Namespace == "Checkout" && !silent && alarm.Fired(a, data, since, w.clock.Now()) {
			names = append(names, a.ID)
		}
	}
	return names
}

// acquires makes p the connector of the shop's MIDs in the mode that it uses.
func (w *World) acquires(p connector.Connector) (connector string) {
	connector = settings.SandboxConnector
	if w.shop.live {
		connector = realBank
	}
	w.connects(connector, p)
	return connector
}

// Each story breaks one thing: the alarm for it goes off, and no other. With the test key none goes off.
func TestAlarmsOnOurOwnMetrics(t *testing.T) {
	for name, breaks := range map[string]func(t *testing.T, w *World){
		"UnknownOutcomesAlarm": func(_ *testing.T, w *World) {
			silent := func(connector.ProviderRequest) (connector.Result, error) { return noResponse(connector.Charge{}) }
			w.acquires(&provider{sandbox: w.bank, followUp: silent})
			for i := range 5 {
				v := w.shop.visits(fmt.Sprint("pen-", i))
				v.pays("01/38")
				w.shop.refunds(v.paymentID(), "1.00")
			}
		},
		"CircuitsOpenAlarm": func(_ *testing.T, w *World) {
			w.acquires(&provider{charge: down})
			w.shop.pay(0, 5)
			for n := 5; n < 7; n++ { // probes
				w.pass(3 * time.Minute)
				w.shop.pay(n, 1)
			}
		},
		"ApprovalsStripeAlarm": func(_ *testing.T, w *World) {
			w.declares("stripe", w.app.Core.Declarations[realBank])
			w.connects("stripe", w.bank)
			w.shop.set(func(m *settings.Merchant) { m.Mappings[0].MIDs[0].Connector = "stripe" })
			day := func(n int, expires string) {
				for i := range 3 {
					w.shop.visits(fmt.Sprintf("pens-%d-%d", n, i)).pays(expires)
				}
				w.pass(15 * time.Minute)
			}
			for n := range 8 {
				w.shop.visits(fmt.Sprint("ink-", n)).pays("02/38") // one of four is declined
				day(n, "01/38")
			}
			for n := 8; n < 12; n++ {
				day(n, "02/38")
			}
		},
		"WalletCertificatesAlarm": func(t *testing.T, w *World) {
			w.shop.set(w.identityEndsIn(t, 29*24*time.Hour))
			w.shop.visits("pen-1").screen()
		},
		"DuePaymentAgeAlarm": func(_ *testing.T, w *World) {
			w.queue.lose = loseAll
			v := w.shop.visits("pen-1")
			v.send(v.attempt("01/38"))
			w.pass(15 * time.Minute)
		},
		"DueCallbackAgeAlarm": func(_ *testing.T, w *World) {
			w.queue.lose = loseCallbacks
			w.shop.visits("pen-1").pays("01/38")
			w.pass(45 * time.Minute)
		},
		"DueChainAgeAlarm": func(_ *testing.T, w *World) {
			everyDay := settings.Interval{IntervalLength: 1, IntervalUnit: "day"}
			w.shop.set(func(m *settings.Merchant) {
				m.Schedules = []settings.Schedule{{ID: "daily", Name: "Daily", Interval: everyDay}}
			})
			w.shop.begins("pen-1", "01/38", with("schedule_id", "daily"))
			w.queue.lose = loseAll
			w.skip(24 * time.Hour)
			w.pass(30 * time.Minute)
		},
		"ConflictsExhaustedAlarm": func(_ *testing.T, w *World) {
			v := w.shop.visits("pen-1")
			v.send(v.attempt("01/38"))
			w.rivals("order/", "/payment")
			for range 5 {
				_ = v.runs()
				w.skip(payment.JobLease) // of the place that it has at its provider
			}
			w.rivals()
			w.pass(2 * time.Minute)
		},
		"ParkedCallbacksAlarm": func(_ *testing.T, w *World) {
			w.shop.responds(500)
			w.shop.visits("pen-1").pays("01/38")
			w.shop.set(func(m *settings.Merchant) { m.NotificationURL, m.TestNotificationURL = "", "" })
			w.pass(10 * time.Minute)
		},
		"FailingCallbacksAlarm": func(_ *testing.T, w *World) {
			w.shop.responds(500)
			w.shop.visits("pen-1").pays("01/38")
			w.pass(30 * time.Minute)
		},
		"ApprovedAfterDeclinedAlarm": func(_ *testing.T, w *World) {
			v := w.shop.visits("pen-1")
			v.pays("02/38")
			p := v.payment()
			at := w.acquires(&provider{sandbox: w.bank})
			w.reported(at, connector.Notice{
				PaymentID: p.ID, Reference: p.ChargeReference, Result: approved,
			})
		},
		"DeclinedAfterApprovedAlarm": func(_ *testing.T, w *World) {
			connector := w.acquires(withoutLookUps(&provider{charge: noResponse}))
			v := w.shop.visits("pen-1")
			v.pays("01/38")
			w.waitsForPerson()
			w.settles(v.paymentID(), true)
			w.pass(2 * time.Minute)
			w.reported(connector, v.about(v.payment().ChargeReference, declined))
		},
		"WaitingForPersonAlarm": func(_ *testing.T, w *World) {
			w.acquires(withoutLookUps(&provider{charge: noResponse}))
			w.shop.visits("pen-1").pays("01/38")
			w.waitsForPerson()
			w.skip(w.clock.Now().Truncate(time.Hour).Add(time.Hour).Sub(w.clock.Now()))
			w.sweep()
		},
	} {
		for _, live := range []bool{true, false} {
			t.Run(fmt.Sprint(name, " live ", live), func(t *testing.T) {
				w := open(t, operations)
				w.shop.live = live
				w.acquires(w.bank)
				since, want := w.clock.Now(), []string{name}
				if !live {
					want = nil
				}
				breaks(t, w)
				w.work()
				if names := w.goOff(t, since); !slices.Equal(names, want) {
					t.Errorf("%v go off", names)
				}
			})
		}
	}
}

// A day of ordinary business: paid, declined, refunded, one outcome unknown for a while, one callback taken late.
func TestNoAlarmWhileAllIsWell(t *testing.T) {
	w := open(t, operations)
	w.shop.live = true
	w.acquires(w.bank)
	since := w.clock.Now()
	v := w.shop.visits("pen-1")
	v.pays("01/38")
	if got := w.shop.refunds(v.paymentID(), "1.00"); got != "200 accepted" {
		t.Fatal(got)
	}
	w.shop.visits("pen-2").pays("02/38")
	w.shop.visits("pen-3").pays("01/39")
	w.pass(2 * time.Hour)
	w.shop.responds(503)
	w.shop.visits("pen-4").pays("01/38")
	w.pass(10 * time.Minute)
	w.shop.responds(200)
	w.pass(24 * time.Hour)
	if names := w.goOff(t, since); len(names) > 0 {
		t.Errorf("%v go off", names)
	}
}

// One circuit breaker that opens and closes again, and one change that is given up, are chance.
func TestNoAlarmAtTheFirst(t *testing.T) {
	w := open(t, operations)
	w.shop.live = true
	w.acquires(w.bank)
	since := w.clock.Now()
	v := w.shop.visits("pens-0")
	v.send(v.attempt("01/38"))
	w.rivals("order/", "/payment")
	_ = v.runs()
	w.rivals()
	w.gaveUp("run job", 1)
	w.acquires(&provider{charge: down})
	w.shop.pay(0, 5)
	w.acquires(w.bank)
	w.pass(2 * time.Minute)
	if !strings.Contains(w.log.String(), `"circuits_open":1`) {
		t.Error("no circuit breaker has opened")
	}
	if names := w.goOff(t, since); len(names) > 0 {
		t.Errorf("%v go off", names)
	}
}

// Every metric of the namespace Checkout in template.yaml is one that the code writes, with the same dimensions.
func TestAlarmsSpeakOfMetricsThatAreWritten(t *testing.T) {
	written := writtenMetrics(t)
	for _, a := range alarms(t) {
		for _, m := range a.Metrics {
			if m.Namespace != "Checkout" {
				continue
			}
			dimension := ""
			for name := range m.Dimensions {
				if name != "stack" {
					dimension = name
				}
			}
			if !slices.Contains(written[m.Name], dimension) || m.Dimensions["stack"] != "local" {
				t.Errorf("%s: %s by %v; it is written by %q", a.ID, m.Name, m.Dimensions, written[m.Name])
			}
		}
	}
	text, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	metric := regexp.MustCompile(
		`"Checkout", "(\w+)"|MetricName=\\"(\w+)\\"'|\[".", "([a-z]+_[a-z_]+|duplicates)", "."`)
	for _, found := range metric.FindAllStringSubmatch(string(text), -1) {
		if name := found[1] + found[2] + found[3]; written[name] == nil {
			t.Errorf("the dashboard shows %s, which the code doesn't write", name)
		}
	}
}

// Each connector that talks to somebody has an alarm on its approvals.
func TestApprovalsOfEveryConnector(t *testing.T) {
	var heard []string
	for _, a := range alarms(t) {
		if a.Metrics[0].Name == "approved" {
			heard = append(heard, a.Metrics[0].Dimensions["connector"])
		}
	}
	want := slices.Sorted(maps.Keys(connector.Declarations()))
	want = slices.DeleteFunc(want, func(name string) bool { return name == settings.SandboxConnector })
	if slices.Sort(heard); !slices.Equal(heard, want) {
		t.Errorf("alarms for %q, connectors are %q", heard, want)
	}
}

// ofLivePayments are metrics whose lines are written for payments with a live key alone, or are about the page.
var ofLivePayments = []string{"waiting_for_person", "wallet_certificates_ending",
	"page_changed", "headers_changed", "csp_reports"}

// writtenMetrics returns the names of the metrics in the service's code, each with its dimensions beside the stack.
func writtenMetrics(t *testing.T) map[string][]string {
	t.Helper()
	var files []string
	for _, folder := range []string{"checkout", "payer", "merchant", "worker", "callback", "circuit", "metric", "sweep",
		"guard", "api"} {
		found, err := filepath.Glob("../" + folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	written := map[string][]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		names := namesOfMetrics(parsed)
		ast.Inspect(parsed, func(n ast.Node) bool {
			if set, ok := n.(*ast.AssignStmt); ok && isIdent(set.Lhs[0], "ByConnector") {
				for _, metric := range set.Rhs[0].(*ast.CompositeLit).Elts {
					for _, name := range names(metric) {
						written[name] = append(written[name], "connector")
					}
				}
			}
			line, ok := n.(*ast.CompositeLit)
			if !ok || !isIdent(line.Type, "Line") {
				return true
			}
			dimension, total, test := "", false, false
			for i, element := range line.Elts {
				value := element
				if pair, ok := element.(*ast.KeyValueExpr); ok {
					value = pair.Value
					if isIdent(pair.Key, "Dimension") {
						dimension = literal(value)
					}
					total, test = total || isIdent(pair.Key, "Total"), test || isIdent(pair.Key, "Test")
				} else if i == 1 {
					dimension = literal(value)
				}
			}
			ast.Inspect(line, func(n ast.Node) bool {
				for _, name := range names(n) {
					if !test && !slices.Contains(ofLivePayments, name) {
						t.Errorf("%s doesn't say whether a payment with the test key counts into %s", file, name)
					}
					written[name] = append(written[name], dimension)
					if total {
						written[name] = append(written[name], "")
					}
				}
				return true
			})
			return true
		})
	}
	return written
}

// namesOfMetrics returns a function that finds the names of metrics in a node of a file: literals, calls of Count and
// variables of the file.
func namesOfMetrics(file *ast.File) func(ast.Node) []string {
	variables := map[string]string{}
	direct := func(n ast.Node) string {
		switch n := n.(type) {
		case *ast.CallExpr:
			if isIdent(n.Fun, "Count") {
				return literal(n.Args[0])
			}
		case *ast.CompositeLit:
			if len(n.Elts) == 3 && (n.Type == nil || isIdent(n.Type, "Metric")) {
				return literal(n.Elts[0])
			}
		}
		return ""
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok {
			for i, value := range assign.Rhs {
				if name := direct(value); name != "" {
					variables[assign.Lhs[i].(*ast.Ident).Name] = name
				}
			}
		}
		return true
	})
	return func(n ast.Node) []string {
		if name := direct(n); name != "" {
			return []string{name}
		}
		if x, ok := n.(*ast.Ident); ok && variables[x.Name] != "" {
			return []string{variables[x.Name]}
		}
		return nil
	}
}

// isIdent reports whether an expression is this name, with or without a package before it.
func isIdent(n ast.Expr, name string) bool {
	if selected, ok := n.(*ast.SelectorExpr); ok {
		n = selected.Sel
	}
	x, ok := n.(*ast.Ident)
	return ok && x.Name == name
}

func literal(n ast.Expr) string {
	if pair, ok := n.(*ast.KeyValueExpr); ok {
		n = pair.Value
	}
	if x, ok := n.(*ast.BasicLit); ok {
		text, _ := strconv.Unquote(x.Value)
		return text
	}
	return ""
}

// For each alarm, infra/runbook.md says what it means, how to look and what to do. Alarms may share a part.
func TestEveryAlarmIsDescribed(t *testing.T) {
	text, err := os.ReadFile("../../infra/runbook.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, part := range strings.Split(string(text), "\n### ")[1:] {
		heading, rest, _ := strings.Cut(part, "\n")
		rest, _, _ = strings.Cut(rest, "\n## ")
		for _, name := range strings.Split(heading, ", ") {
			parts[name] = rest
		}
	}
	tickets := regexp.MustCompile(`(?s)Tickets are (.*?):`).FindStringSubmatch(string(text))
	if len(tickets) == 0 {
		t.Fatal("infra/runbook.md does not list the tickets")
	}
	named := map[string]bool{}
	edge, err := template.Read("../../infra/edge.yaml", template.Options{
		StackName: "edge", Region: "us-east-1", Account: "000000000000",
		Parameters: map[string]string{"PageDistribution": "E1", "WalletDistribution": "E2", "LogBucketArn": "arn:aws:s3:::l",
			"OriginClientCertificateArn": "arn:aws:acm:us-east-1:000000000000:certificate/0"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range append(alarms(t), edge.Alarms...) {
		named[a.ID] = true
		if listed := slices.Contains(regexp.MustCompile(`\w+`).FindAllString(tickets[1], -1), a.ID); !slices.Equal(a.Actions,
			a.OKActions) || len(a.Actions) != 1 || listed != (a.Actions[0] == "TicketTopic") {
			t.Errorf("%s tells %v when it goes off and %v when it ends; a ticket: %t", a.ID, a.Actions, a.OKActions, listed)
		}
		for _, words := range []string{"**Means:**", "**Look:**", "**Do:**", "```"} {
			if !strings.Contains(parts[a.ID], words) {
				t.Errorf("infra/runbook.md: no heading has the name %s and %s below it", a.ID, words)
			}
		}
	}
	for name := range parts {
		if strings.HasSuffix(name, "Alarm") && !named[name] {
			t.Errorf("infra/runbook.md describes %s, which there is not", name)
		}
	}
}
