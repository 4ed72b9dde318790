package tidy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"checkout/internal/app"

	"gopkg.in/yaml.v3"
)

// resource is what the rules below look at of a resource of template.yaml.
type resource struct {
	Type       string `yaml:"Type"`
	OnDelete   string `yaml:"DeletionPolicy"`
	OnReplace  string `yaml:"UpdateReplacePolicy"`
	Properties struct {
		CodeURI     string `yaml:"CodeUri"`
		Role        string `yaml:"Role"`
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
		Protected bool   `yaml:"DeletionProtectionEnabled"`
		KeySpec   string `yaml:"KeySpec"`
		Rotates   bool   `yaml:"EnableKeyRotation"`
		KeyPolicy struct {
			Statement []statement `yaml:"Statement"`
		} `yaml:"KeyPolicy"`
	} `yaml:"Properties"`
}

// statement is one of a key's policy.
type statement struct {
	Effect    string                      `yaml:"Effect"`
	Principal map[string]string           `yaml:"Principal"`
	Action    yaml.Node                   `yaml:"Action"`
	Resource  string                      `yaml:"Resource"`
	Condition map[string]map[string]texts `yaml:"Condition"`
}

// texts is one text or a list of them.
type texts []string

func (t *texts) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.SequenceNode {
		return node.Decode((*[]string)(t))
	}
	*t = texts{node.Value}
	return nil
}

// is reports whether it is that text alone.
func (t texts) is(text string) bool { return len(t) == 1 && t[0] == text }

// onlyConnector are the actions that lead to a card, by a key's spec: its policy denies them to everybody else.
var onlyConnector = map[string][]string{
	"ECC_NIST_P256":     {"kms:DeriveSharedSecret"},
	"SYMMETRIC_DEFAULT": {"kms:Decrypt", "kms:Encrypt", "kms:GenerateDataKey*", "kms:ReEncrypt*"},
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
	mapped, keys := 0, map[string]int{}
	for name, r := range all {
		if role := r.Properties.Role; r.Type == "AWS::Serverless::Function" && (role == "ConnectorRole.Arn") != (name == "ConnectorFunction") {
			t.Errorf("%s has the role %q: ConnectorRole opens cards and is ConnectorFunction's alone", name, role)
		}
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
			checkRetained(t, name, r)
		case "AWS::KMS::Key":
			if name == "SecretsKey" {
				checkSecretsKey(t, r)
				continue
			}
			keys[r.Properties.KeySpec]++
			checkKey(t, name, r)
			checkRetained(t, name, r)
		}
	}
	if mapped != 2 {
		t.Errorf("%d queues are mapped to functions", mapped)
	}
	if len(keys) != len(onlyConnector) {
		t.Errorf("the keys %v are for ConnectorFunction and known to this test", keys)
	}
}

// checkRetained checks that what holds data, or opens it, is lost neither with the stack nor in its changes.
func checkRetained(t *testing.T, name string, r resource) {
	t.Helper()
	if r.OnDelete != "RetainExceptOnCreate" || r.OnReplace != "Retain" || r.Type == "AWS::DynamoDB::Table" && !r.Properties.Protected {
		t.Errorf("%s: deleted by %q, replaced by %q, deletion protection %t", name, r.OnDelete, r.OnReplace, r.Properties.Protected)
	}
}

// checkKey checks that a key's policy keeps what leads to a card for ConnectorFunction's role, and that a key which
// opens what is stored is never lost.
func checkKey(t *testing.T, name string, r resource) {
	t.Helper()
	var denied []string
	for _, s := range r.Properties.KeyPolicy.Statement {
		role := s.Condition["ArnNotEquals"]["aws:PrincipalArn"]
		whole := s.Principal["AWS"] == "*" && s.Resource == "*" && len(s.Condition) == 1 && len(s.Condition["ArnNotEquals"]) == 1
		if s.Effect != "Deny" || !whole || !role.is("ConnectorRole.Arn") {
			continue
		}
		var actions []string
		if s.Action.Kind == yaml.ScalarNode {
			actions = []string{s.Action.Value}
		} else if err := s.Action.Decode(&actions); err != nil {
			t.Fatal(err)
		}
		denied = append(denied, actions...)
	}
	slices.Sort(denied)
	if want := onlyConnector[r.Properties.KeySpec]; len(want) == 0 || !slices.Equal(denied, want) {
		t.Errorf("%s: the policy keeps %v for ConnectorFunction's role, not %v", name, denied, want)
	}
	if r.Properties.KeySpec == "SYMMETRIC_DEFAULT" && !r.Properties.Rotates {
		t.Errorf("%s: what is stored under a key for long needs it rotated", name)
	}
}

// checkSecretsKey checks that nothing is decrypted without naming its use, which decides who may, and that the key is
// never lost.
func checkSecretsKey(t *testing.T, r resource) {
	t.Helper()
	found := slices.ContainsFunc(r.Properties.KeyPolicy.Statement, func(s statement) bool {
		uses := s.Condition["StringNotEquals"]["kms:EncryptionContext:use"]
		return s.Effect == "Deny" && s.Principal["AWS"] == "*" && slices.Equal(uses, texts{"password", "callback", "credentials"}) && len(s.Condition) == 1
	})
	if !found || !r.Properties.Rotates || r.OnDelete != "Retain" || r.OnReplace != "Retain" {
		t.Errorf("SecretsKey takes requests that name no use, or is not rotated and retained")
	}
}

// What a function needs of the environment follows from the parts that it is
// given, and template.yaml sets exactly these variables.
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
		needs := app.Functions()[filepath.Base(r.Properties.CodeURI)].Needs()
		slices.Sort(needs)
		if !slices.Equal(needs, set) {
			t.Errorf("%s: template.yaml sets %v, its parts need %v", name, set, needs)
		}
	}
}
