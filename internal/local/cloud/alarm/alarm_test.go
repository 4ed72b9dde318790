package alarm

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/cloud/template"
)

func TestRead(t *testing.T) {
	const line = `{"msg":"due","kind":"payment","stack":"local","due_age":61000,` +
		`"_aws":{"Timestamp":1600000000123,"CloudWatchMetrics":[{"Namespace":"Checkout",` +
		`"Dimensions":[["stack","kind"],["stack"]],"Metrics":[{"Name":"due_age","Unit":"Milliseconds"}]}]}}`
	data, err := Read("plain text\n{\"msg\":\"request\"}\n" + line + "\n")
	if err != nil || len(data) != 2 {
		t.Fatalf("%v %v", data, err)
	}
	want := map[string]string{"stack": "local", "kind": "payment"}
	if d := data[0]; d.Name != "due_age" || d.Value != 61000 || !maps.Equal(d.Dimensions, want) ||
		d.At.UnixMilli() != 1600000000123 {
		t.Errorf("%+v", d)
	}
	for _, change := range [][2]string{
		{`"stack":"local",`, ""}, {`"stack":"local"`, `"stack":""`}, {`"due_age":61000,`, ""}, {"Milliseconds", "Hours"},
		{`{"msg"`, `"msg"`},
	} {
		if data, err := Read(strings.Replace(line, change[0], change[1], 1)); err == nil {
			t.Errorf("%s for %s was taken: %v", change[1], change[0], data)
		}
	}
}

var noon = time.Date(2030, 3, 4, 12, 0, 0, 0, time.UTC)

// minutes are values of a metric, one each minute from noon on.
func minutes(m template.Metric, values ...int) []Datum {
	var data []Datum
	for i, value := range values {
		data = append(data, Datum{m.Namespace, m.Name, m.Dimensions, noon.Add(time.Duration(i) * time.Minute), value})
	}
	return data
}

func TestFired(t *testing.T) {
	m := template.Metric{Namespace: "N", Name: "m", Statistic: "Sum"}
	for _, c := range []struct {
		comparison, missing string
		points              int
		values              []int
		want                bool
	}{
		{"GreaterThanThreshold", "notBreaching", 2, []int{6, 6}, true},
		{"GreaterThanThreshold", "notBreaching", 2, []int{5, 5, 5}, false},
		{"GreaterThanThreshold", "notBreaching", 2, []int{6, 0, 6, 0}, false},
		{"GreaterThanThreshold", "notBreaching", 1, []int{0, 0, 6}, true},
		{"GreaterThanOrEqualToThreshold", "notBreaching", 2, []int{5, 5}, true},
		{"LessThanThreshold", "notBreaching", 2, []int{4, 4}, true},
		{"LessThanThreshold", "notBreaching", 2, nil, false},
		{"LessThanThreshold", "breaching", 2, nil, true},
		{"LessThanOrEqualToThreshold", "notBreaching", 2, []int{5, 5}, true},
	} {
		a := template.Alarm{Metrics: []template.Metric{m}, Period: time.Minute, Periods: 2, Points: c.points, Threshold: 5,
			Comparison: c.comparison, Missing: c.missing}
		if got := Fired(a, minutes(m, c.values...), noon, noon.Add(5*time.Minute)); got != c.want {
			t.Errorf("%s, missing %s, %d of 2, %v: %t", c.comparison, c.missing, c.points, c.values, got)
		}
	}
	m.Statistic = "p99"
	a := template.Alarm{Metrics: []template.Metric{m}, Period: time.Minute, Periods: 1, Points: 1, Threshold: 100,
		Comparison: "GreaterThanOrEqualToThreshold", Missing: "notBreaching"}
	calls := make([]Datum, 200)
	for i := range calls {
		calls[i] = Datum{m.Namespace, m.Name, nil, noon, 10}
	}
	calls[0].Value, calls[1].Value = 1000, 1000
	if Fired(a, calls, noon, noon.Add(time.Minute)) {
		t.Error("one of a hundred is not beyond the 99th percentile")
	}
	calls[2].Value = 1000
	if !Fired(a, calls, noon, noon.Add(time.Minute)) {
		t.Error("three of two hundred are")
	}
}

func TestFiredBelowWhatIsUsual(t *testing.T) {
	m := template.Metric{Namespace: "N", Name: "m", Statistic: "Average"}
	a := template.Alarm{Metrics: []template.Metric{m}, Period: time.Minute, Periods: 2, Points: 2, Band: 2,
		Comparison: "LessThanLowerThreshold", Missing: "notBreaching"}
	for _, c := range []struct {
		values []int
		want   bool
	}{
		{[]int{80, 70, 80, 70, 20, 20}, true},
		{[]int{80, 70, 80, 70, 20, 70, 20, 80}, false}, // once is chance
		{[]int{80, 70, 80, 70, 70, 70}, false},
		{[]int{20, 30, 20, 30, 20, 20}, false}, // it has always been low
		{[]int{20, 30, 20, 30, 80, 80}, false},
		{[]int{80, 20, 20, 20}, false}, // too little is known
	} {
		if got := Fired(a, minutes(m, c.values...), noon, noon.Add(10*time.Minute)); got != c.want {
			t.Errorf("%v: %t", c.values, got)
		}
	}
}

// trouble is a metric of AWS and its values, one each minute, when something is broken.
type trouble struct {
	alarm   string
	metric  template.Metric
	broken  []int // values of a minute; empty: AWS has no value
	healthy []int
}

// notForMerchants are the functions that merchants do not call.
var notForMerchants = []string{"page", "notify", "connector", "callback", "sweep", "unknown", "guard"}

// forOperators are the functions of the operator's side.
var forOperators = []string{"index", "archive", "adminread", "adminact"}

// troubles are those of every part of the stack.
func troubles(s *template.Template) []trouble {
	aws := func(service, name string, dimensions ...string) template.Metric {
		m := template.Metric{Namespace: "AWS/" + service, Name: name, Dimensions: map[string]string{}}
		for i := 0; i < len(dimensions); i += 2 {
			m.Dimensions[dimensions[i]] = dimensions[i+1]
		}
		return m
	}
	var all []trouble
	for _, f := range s.Functions {
		callers := "Merchant"
		switch {
		case slices.Contains(notForMerchants, f.Name):
			callers = "Service"
		case slices.Contains(forOperators, f.Name):
			callers = "Operator"
		}
		all = append(all,
			trouble{callers + "ErrorsAlarm", aws("Lambda", "Errors", "FunctionName", f.FullName), []int{1, 0, 1}, []int{0, 0}},
			trouble{callers + "ThrottlesAlarm", aws("Lambda", "Throttles", "FunctionName", f.FullName), []int{3, 1}, []int{0}})
		if len(f.Streams) > 0 {
			age := strings.TrimSuffix(f.ID, "Function") + "AgeAlarm"
			all = append(all, trouble{age, aws("Lambda", "IteratorAge", "FunctionName", f.FullName), []int{300_000},
				[]int{2000}})
		}
		// The guard's measurements are waited for, and archive's schedule only repairs what its stream has not led to.
		if len(f.Schedules) > 0 && f.Name != "guard" && f.Name != "archive" {
			silent := strings.TrimSuffix(f.ID, "Function") + "SilentAlarm"
			all = append(all, trouble{silent, aws("Lambda", "Invocations", "FunctionName", f.FullName), nil,
				[]int{1}})
		}
	}
	for _, q := range s.Queues {
		if strings.Contains(q.ID, "Test") {
			continue // nobody is alarmed about test keys
		}
		if strings.HasPrefix(q.ID, "Dead") {
			all = append(all, trouble{q.ID + "Alarm", aws("SQS", "ApproximateNumberOfMessagesVisible", "QueueName", q.Name),
				[]int{1}, []int{0}})
			continue
		}
		// Messages may be delayed for up to 15 minutes.
		broken, healthy := 2000, 960
		switch q.ID {
		case "SlowJobs": // these never are
			broken, healthy = 700, 500
		case "SlowCallbacks":
			broken, healthy = 4000, 3000
		}
		all = append(all, trouble{q.ID + "AgeAlarm", aws("SQS", "ApproximateAgeOfOldestMessage", "QueueName", q.Name),
			[]int{broken}, []int{healthy}})
	}
	for _, name := range []string{"unauthorized", "rate_limited"} {
		alarm := map[string]string{"unauthorized": "UnauthorizedAlarm", "rate_limited": "RateLimitedAlarm"}[name]
		all = append(all, trouble{alarm, template.Metric{Namespace: "Checkout/checkout", Name: name,
			Dimensions: map[string]string{}}, []int{25}, []int{15}})
	}
	all = append(all, trouble{"ConcurrencyAlarm", aws("Lambda", "ConcurrentExecutions"), []int{800}, []int{799}})
	// What the guard and browsers tell of the page, which no story of a payment does.
	page := func(name string) template.Metric {
		return template.Metric{Namespace: "Checkout", Name: name, Dimensions: map[string]string{"stack": "checkout"}}
	}
	all = append(all, trouble{"PageUncheckedAlarm", page("page_changed"), nil, []int{0}},
		trouble{"PageChangedAlarm", page("page_changed"), []int{1}, []int{0}},
		trouble{"PageHeadersChangedAlarm", page("headers_changed"), []int{1}, []int{0}},
		trouble{"PolicyReportsAlarm", page("csp_reports"), []int{1, 1, 1, 1}, []int{1, 1}})
	calls := slices.Repeat([]int{40}, 97)
	all = append(all, trouble{"ApiErrorsAlarm", aws("ApiGateway", "5xx", "ApiId", "api"), []int{1, 1, 1}, []int{0, 0}},
		trouble{"AdminErrorsAlarm", aws("ApiGateway", "5xx", "ApiId", "adminapi"), []int{1, 1, 1}, []int{0, 0}},
		trouble{"ApiSlowAlarm", aws("ApiGateway", "Latency", "ApiId", "api"), append(calls, 9000, 9000, 9000),
			append(calls, 7200, 7200, 7200)})
	for _, table := range s.Tables {
		if table.ID == "Listing" {
			all = append(all, listingTroubles(table)...)
			continue
		}
		for _, name := range []string{"ReadThrottleEvents", "WriteThrottleEvents"} {
			all = append(all, trouble{"TableThrottlesAlarm", aws("DynamoDB", name, "TableName", table.Name), []int{1}, []int{0}})
			indexes, _ := table.Definition["GlobalSecondaryIndexes"].([]any)
			for _, index := range indexes {
				of := index.(map[string]any)["IndexName"].(string)
				all = append(all, trouble{"TableThrottlesAlarm",
					aws("DynamoDB", name, "TableName", table.Name, "GlobalSecondaryIndexName", of), []int{1}, []int{0}})
			}
		}
		operations := []string{"GetItem", "BatchGetItem", "PutItem", "TransactWriteItems", "Query"}
		if table.ID == "VaultTable" { // which is not listed, and whose documents are deleted
			operations[4] = "DeleteItem"
		}
		for _, operation := range operations {
			all = append(all, trouble{"TableErrorsAlarm",
				aws("DynamoDB", "SystemErrors", "TableName", table.Name, "Operation", operation), []int{5}, []int{0}})
		}
	}
	return all
}

// listingTroubles are those of the table of what operators list.
func listingTroubles(table template.Table) (all []trouble) {
	metric := func(name, operation string) template.Metric {
		m := template.Metric{Namespace: "AWS/DynamoDB", Name: name, Dimensions: map[string]string{"TableName": table.Name}}
		if operation != "" {
			m.Dimensions["Operation"] = operation
		}
		return m
	}
	for _, name := range []string{"ReadThrottleEvents", "WriteThrottleEvents"} {
		all = append(all, trouble{"ListingTroubleAlarm", metric(name, ""), []int{5}, []int{1}})
	}
	for _, operation := range []string{"GetItem", "BatchGetItem", "Query", "PutItem", "DeleteItem"} {
		all = append(all, trouble{"ListingTroubleAlarm", metric("SystemErrors", operation), []int{5}, []int{0}})
	}
	return all
}

// measured is a quarter of an hour of values of a metric.
func measured(m template.Metric, each []int) []Datum {
	var data []Datum
	for minute := range 15 {
		for _, value := range each {
			data = append(data, Datum{m.Namespace, m.Name, m.Dimensions, noon.Add(time.Duration(minute) * time.Minute), value})
		}
	}
	return data
}

// Each trouble sets off its alarm and no other; without trouble none goes off. Every alarm on AWS's metrics is in the
// list.
func TestAlarmsOnAWSMetrics(t *testing.T) {
	s, err := template.Read("../../../../template.yaml", template.Options{
		StackName: "checkout", Region: "eu-central-1", Account: "000000000000",
		QueueURL: func(name string) string { return "http://sqs/" + name },
	})
	if err != nil {
		t.Fatal(err)
	}
	all := troubles(s)
	var healthy []Datum
	for _, trouble := range all {
		healthy = append(healthy, measured(trouble.metric, trouble.healthy)...)
	}
	heard := map[string]bool{}
	fired := func(data []Datum) (names []string) {
		for _, a := range s.Alarms {
			if Fired(a, data, noon, noon.Add(10*time.Minute)) {
				names = append(names, a.ID)
			}
		}
		return names
	}
	if names := fired(healthy); len(names) > 0 {
		t.Errorf("all is well and %v go off", names)
	}
	for _, broken := range all {
		heard[broken.alarm] = true
		data := slices.DeleteFunc(slices.Clone(healthy),
			func(d Datum) bool { return broken.metric.Is(d.Namespace, d.Name, d.Dimensions) })
		names := fired(append(data, measured(broken.metric, broken.broken)...))
		if !slices.Equal(names, []string{broken.alarm}) {
			t.Errorf("%s of %v is broken: %v go off, not %s", broken.metric.Name, broken.metric.Dimensions, names, broken.alarm)
		}
	}
	for _, a := range s.Alarms {
		if a.Metrics[0].Namespace != "Checkout" && !heard[a.ID] {
			t.Errorf("nothing here makes %s go off", a.ID)
		}
	}
}
