package stack

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"checkout/internal/connector"

	"gopkg.in/yaml.v3"
)

// alarm has the properties of an alarm that the rules below are about.
type alarm struct {
	Condition  string `yaml:"Condition"`
	Properties struct {
		measurement `yaml:",inline"`
		Metrics     []struct {
			Stat struct {
				Metric measurement `yaml:"Metric"`
			} `yaml:"MetricStat"`
		} `yaml:"Metrics"`
		Actions   []string `yaml:"AlarmActions"`
		OKActions []string `yaml:"OKActions"`
	} `yaml:"Properties"`
}

// measurement is a metric of an alarm.
type measurement struct {
	Namespace  string `yaml:"Namespace"`
	Name       string `yaml:"MetricName"`
	Dimensions []struct {
		Name  string    `yaml:"Name"`
		Value yaml.Node `yaml:"Value"`
	} `yaml:"Dimensions"`
}

// dimension is the value of a dimension, "" if the metric has none of that name.
func (m measurement) dimension(name string) string {
	for _, d := range m.Dimensions {
		if d.Name == name {
			return d.Value.Value
		}
	}
	return ""
}

// metrics are those that the alarm looks at, which may be one.
func (a alarm) metrics() (all []measurement) {
	if a.Properties.Name != "" {
		return []measurement{a.Properties.measurement}
	}
	for _, m := range a.Properties.Metrics {
		if m.Stat.Metric.Name != "" { // no expression
			all = append(all, m.Stat.Metric)
		}
	}
	return all
}

// readAlarms reads the alarms of a template, and its text.
func readAlarms(t *testing.T, file string) (alarms map[string]alarm, text string) {
	t.Helper()
	var document struct {
		Resources map[string]yaml.Node `yaml:"Resources"`
	}
	text, alarms = parseFile(t, file, &document), map[string]alarm{}
	for id, node := range document.Resources {
		if strings.HasSuffix(id, "Alarm") {
			var a alarm
			if err := node.Decode(&a); err != nil {
				t.Fatalf("%s: %v", id, err)
			}
			alarms[id] = a
		}
	}
	return alarms, text
}

// For each alarm, infra/runbook.md says what it means, how to look and what to do. Alarms may share a part.
func TestEveryAlarmIsDescribed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "infra/runbook.md"))
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
	list := regexp.MustCompile(`(?s)\n- Tickets .*?\n- `).FindString(string(text))
	tickets := regexp.MustCompile(`\w+Alarm`).FindAllString(list, -1)
	all, _ := readAlarms(t, "infra/alarms.yaml")
	edge, _ := readAlarms(t, "infra/edge.yaml")
	for _, alarms := range []map[string]alarm{all, edge} {
		for id, a := range alarms {
			want := []string{"UrgentTopic"}
			if slices.Contains(tickets, id) {
				want[0] = "TicketTopic"
			}
			if p := a.Properties; !slices.Equal(p.Actions, want) || !slices.Equal(p.OKActions, want) {
				t.Errorf("%s tells %v when it goes off and %v when it ends, not %v", id, p.Actions, p.OKActions, want)
			}
			for _, words := range []string{"**Means:**", "**Look:**", "**Do:**", "```"} {
				if !strings.Contains(parts[id], words) {
					t.Errorf("infra/runbook.md: no heading has the name %s and %s below it", id, words)
				}
			}
		}
	}
	for name := range parts {
		_, ours := all[name]
		if _, edges := edge[name]; strings.HasSuffix(name, "Alarm") && !ours && !edges {
			t.Errorf("infra/runbook.md describes %s, which there is not", name)
		}
	}
}

// Each metric of an alarm or the dashboard is one of AWS, is made of the API's log, or is ours: one file of the code
// has its name and its dimension.
func TestMetricsAreWritten(t *testing.T) {
	var files, sources []string
	for _, pattern := range []string{"internal/*/*.go", "internal/*/*/*.go"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") && strings.Contains(string(text), "Metrics:") {
			sources = append(sources, string(text))
		}
	}
	written := func(words ...string) bool {
		return slices.ContainsFunc(sources, func(source string) bool {
			return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(source, `"`+word+`"`) })
		})
	}
	alarms, text := readAlarms(t, "infra/alarms.yaml")
	for id, a := range alarms {
		for _, m := range a.metrics() {
			words := []string{m.Name}
			for _, d := range m.Dimensions {
				if d.Name != "stack" {
					words = append(words, d.Name)
				}
			}
			ofLog := strings.Contains(text, ", MetricName: "+m.Name+", MetricValue: '1'}]")
			if !strings.HasPrefix(m.Namespace, "AWS/") && !ofLog && (m.Namespace != "Checkout" || !written(words...)) {
				t.Errorf("%s looks at %q of %s, which nobody writes", id, words, m.Namespace)
			}
		}
	}
	shown := regexp.MustCompile(
		`"Checkout", "(\w+)"|MetricName=\\"(\w+)\\"'|\[".", "([a-z]+_[a-z_]+|duplicates)", "."`)
	for _, found := range shown.FindAllStringSubmatch(text, -1) {
		if name := found[1] + found[2] + found[3]; !written(name) {
			t.Errorf("the dashboard shows %s, which nobody writes", name)
		}
	}
}

// What is in no alarm fails in silence: errors and throttles of each function, old messages and dead letters of each
// queue but those of test keys, and approvals of each connector that talks to somebody. CloudWatch takes ten metrics in
// an alarm.
func TestWhatHasAnAlarm(t *testing.T) {
	var has, want []string
	alarms, _ := readAlarms(t, "infra/alarms.yaml")
	for id, a := range alarms {
		if n := len(a.metrics()); n == 0 || n > 10 {
			t.Errorf("%s has %d metrics", id, n)
		}
		for _, m := range a.metrics() {
			for _, name := range []string{"FunctionName", "QueueName", "connector"} {
				if value := m.dimension(name); value != "" {
					has = append(has, m.Name+" of "+value)
				}
			}
		}
	}
	read := readTemplate(t)
	for _, f := range read.Functions {
		want = append(want, "Errors of "+f.ID, "Throttles of "+f.ID)
	}
	for _, q := range read.Queues {
		if strings.HasPrefix(q.ID, "Dead") && q.ID != "DeadTests" {
			want = append(want, "ApproximateNumberOfMessagesVisible of "+q.ID)
		} else if !strings.Contains(q.ID, "Test") {
			want = append(want, "ApproximateAgeOfOldestMessage of "+q.ID)
		}
	}
	for name := range connector.Declarations() {
		if name != "sandbox" {
			want = append(want, "approved of "+name)
		}
	}
	for _, one := range want {
		if !slices.Contains(has, one) {
			t.Errorf("no alarm is for %s", one)
		}
	}
}

// Alarms of what only operators need are there with operators alone.
func TestAlarmsOfOperators(t *testing.T) {
	var found []string
	alarms, _ := readAlarms(t, "infra/alarms.yaml")
	for id, a := range alarms {
		if a.Condition == "HasOperators" {
			found = append(found, id)
		} else if a.Condition != "" && (id != "SignInErrorsAlarm" || a.Condition != "HasSignIn") {
			t.Errorf("%s has the condition %s", id, a.Condition)
		}
	}
	slices.Sort(found)
	want := []string{"AdminErrorsAlarm", "ArchiveAgeAlarm", "DeadArchiveAlarm", "DeadIndexAlarm", "IndexAgeAlarm",
		"ListingTroubleAlarm", "OperatorErrorsAlarm", "OperatorThrottlesAlarm"}
	if !slices.Equal(found, want) {
		t.Errorf("operators have %q, not %q", found, want)
	}
}

// A release is rolled back by what the stack of the alarms passes on: CloudFormation asks for it only when it deploys.
func TestAlarmsThatRollAReleaseBack(t *testing.T) {
	var document struct {
		Globals struct {
			Function struct {
				Deployment struct {
					Alarms []string `yaml:"Alarms"`
				} `yaml:"DeploymentPreference"`
			} `yaml:"Function"`
		} `yaml:"Globals"`
	}
	parse(t, &document)
	var inside struct {
		Outputs map[string]struct {
			Value string `yaml:"Value"`
		} `yaml:"Outputs"`
	}
	parseFile(t, "infra/alarms.yaml", &inside)
	var passed []string
	for id, output := range inside.Outputs {
		passed = append(passed, "Alarms.Outputs."+id)
		if output.Value != id {
			t.Errorf("the output %s is %s", id, output.Value)
		}
	}
	roll := document.Globals.Function.Deployment.Alarms
	compare(t, "template.yaml", roll, "infra/alarms.yaml", passed)
	for _, id := range []string{"MerchantErrorsAlarm", "ServiceErrorsAlarm"} {
		if !slices.Contains(roll, "Alarms.Outputs."+id) {
			t.Errorf("%s does not roll a release back", id)
		}
	}
}
