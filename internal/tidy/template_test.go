package tidy

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// resource is what the rules below look at of a resource of template.yaml.
type resource struct {
	Type       string `yaml:"Type"`
	Properties struct {
		CodeURI     string `yaml:"CodeUri"`
		Environment struct {
			Variables map[string]yaml.Node `yaml:"Variables"`
		} `yaml:"Environment"`
		EventSource   string    `yaml:"EventSourceArn"`
		ResponseTypes []string  `yaml:"FunctionResponseTypes"`
		Redrive       yaml.Node `yaml:"RedrivePolicy"`
		TTL           struct {
			Attribute string `yaml:"AttributeName"`
			Enabled   bool   `yaml:"Enabled"`
		} `yaml:"TimeToLiveSpecification"`
		KeyPolicy yaml.Node `yaml:"KeyPolicy"`
	} `yaml:"Properties"`
}

func resources(t *testing.T) (all map[string]resource, global []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "template.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var template struct {
		Globals struct {
			Function struct {
				Environment struct {
					Variables map[string]yaml.Node `yaml:"Variables"`
				} `yaml:"Environment"`
			} `yaml:"Function"`
		} `yaml:"Globals"`
		Resources map[string]resource `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &template); err != nil {
		t.Fatal(err)
	}
	for name := range template.Globals.Function.Environment.Variables {
		global = append(global, name)
	}
	return template.Resources, global
}

// What a local run can't feel, because it imitates AWS less closely there.
func TestTemplateKeepsWhatOnlyAWSWouldMiss(t *testing.T) {
	all, _ := resources(t)
	mapped := 0
	for name, r := range all {
		switch r.Type {
		case "AWS::Lambda::EventSourceMapping":
			mapped++
			if !slices.Equal(r.Properties.ResponseTypes, []string{"ReportBatchItemFailures"}) {
				t.Errorf("%s: without partial answers a failed message counts as done", name)
			}
			queue := all[strings.TrimSuffix(r.Properties.EventSource, ".Arn")]
			if queue.Type != "AWS::SQS::Queue" || queue.Properties.Redrive.IsZero() {
				t.Errorf("%s: %s has no dead-letter queue", name, r.Properties.EventSource)
			}
		case "AWS::DynamoDB::Table":
			if r.Properties.TTL.Attribute != "ttl" || !r.Properties.TTL.Enabled {
				t.Errorf("%s: documents expire by their attribute ttl, not by %q", name, r.Properties.TTL.Attribute)
			}
		case "AWS::KMS::Key":
			text, err := yaml.Marshal(&r.Properties.KeyPolicy)
			if err != nil {
				t.Fatal(err)
			}
			role := regexp.MustCompile(`role/\$\{AWS::StackName\}-(\w+)Role-\*`).FindSubmatch(text)
			if role == nil || string(role[1]) != "ConnectorFunction" || all["ConnectorFunction"].Type == "" {
				t.Errorf("%s: the policy must keep its private half for ConnectorFunction's role", name)
			}
		}
	}
	if mapped != 2 {
		t.Errorf("%d queues are mapped to functions", mapped)
	}
}

// Each main.go names the variables that its function can't do without, and
// template.yaml sets exactly these.
func TestEnvironmentOfEveryFunction(t *testing.T) {
	all, global := resources(t)
	for name, r := range all {
		if r.Type != "AWS::Serverless::Function" {
			continue
		}
		set := slices.Clone(global)
		for variable := range r.Properties.Environment.Variables {
			set = append(set, variable)
		}
		slices.Sort(set)
		main, err := os.ReadFile(filepath.Join(root, r.Properties.CodeURI, "main.go"))
		if err != nil {
			t.Fatal(err)
		}
		var needs []string
		for _, found := range regexp.MustCompile(`"([A-Z_]+)"`).FindAllSubmatch(main, -1) {
			needs = append(needs, string(found[1]))
		}
		slices.Sort(needs)
		if !slices.Equal(needs, set) {
			t.Errorf("%s: template.yaml sets %v, main.go needs %v", name, set, needs)
		}
	}
}
