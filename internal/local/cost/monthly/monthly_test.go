package monthly

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"checkout/internal/local/cloud/template"
)

func read(t *testing.T, names ...string) (all string) {
	t.Helper()
	for _, name := range names {
		text, err := os.ReadFile("../../../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		all += string(text)
	}
	return all
}

// What costs something without a payment is counted in the templates.
func TestWhatTheTemplatesHave(t *testing.T) {
	templates := read(t, "template.yaml", "infra/alarms.yaml", "infra/edge.yaml")
	for kind, n := range map[string]int{"KMS::Key": keys, "SecretsManager::Secret": secrets,
		"CloudWatch::Alarm": alarms, "CloudWatch::Dashboard": dashboard} {
		if found := strings.Count(templates, "Type: AWS::"+kind+"\n"); found != n {
			t.Errorf("%d of %s, not %d", found, kind, n)
		}
	}
	var own []string
	for _, name := range regexp.MustCompile(`MetricName: ([a-z]\w+)`).FindAllStringSubmatch(templates, -1) {
		own = append(own, name[1])
	}
	slices.Sort(own)
	if own = slices.Compact(own); len(own) != metrics {
		t.Errorf("%d metrics: %v", len(own), own)
	}
	stack, waited := stackWith(t, nil), map[string]bool{}
	for _, f := range stack.Functions {
		for _, q := range f.Queues {
			waited[q.QueueARN] = true
		}
	}
	if len(waited) != queues {
		t.Errorf("functions wait for %d queues", len(waited))
	}
}

func stackWith(t *testing.T, parameters map[string]string) *template.Template {
	t.Helper()
	stack, err := template.Read("../../../../template.yaml", template.Options{Parameters: parameters,
		StackName: "checkout", Region: "eu-central-1", Account: "000000000000",
		QueueURL: func(name string) string { return name }})
	if err != nil {
		t.Fatal(err)
	}
	return stack
}

// Each size can be deployed, costs more than the one before, and is in the README.
func TestSizes(t *testing.T) {
	last := int64(0)
	for _, s := range Sizes {
		stackWith(t, s.Parameters)
		if s.Dollars() <= last {
			t.Errorf("%s costs $%d, and the size before $%d", s.Name, s.Dollars(), last)
		}
		last = s.Dollars()
	}
	if !strings.Contains(read(t, "README.md"), Markdown()) {
		t.Errorf("README.md should have\n%s", Markdown())
	}
	if got := grouped(1_020_300); got != "1,020,300" || grouped(7) != "7" {
		t.Error(got)
	}
}
