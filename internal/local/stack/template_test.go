package stack

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"checkout/internal/app"
	"checkout/internal/local/cloud/template"

	"gopkg.in/yaml.v3"
)

// resource has the properties of a resource of template.yaml that the rules below are about.
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
		EventSource   yaml.Node `yaml:"EventSourceArn"`
		ResponseTypes []string  `yaml:"FunctionResponseTypes"`
		Redrive       yaml.Node `yaml:"RedrivePolicy"`
		TTL           struct {
			Attribute string `yaml:"AttributeName"`
			Enabled   bool   `yaml:"Enabled"`
		} `yaml:"TimeToLiveSpecification"`
		Recovery struct {
			Enabled bool `yaml:"PointInTimeRecoveryEnabled"`
		} `yaml:"PointInTimeRecoverySpecification"`
		Encryption struct {
			Enabled bool `yaml:"SSEEnabled"`
		} `yaml:"SSESpecification"`
		Protected bool      `yaml:"DeletionProtectionEnabled"`
		Billing   string    `yaml:"BillingMode"`
		Stream    yaml.Node `yaml:"StreamSpecification"`
		Kinesis   yaml.Node `yaml:"KinesisStreamSpecification"`
		Import    yaml.Node `yaml:"ImportSourceSpecification"`
		Indexes   yaml.Node `yaml:"GlobalSecondaryIndexes"`
		Replicas  yaml.Node `yaml:"Replicas"`
		Rotates   bool      `yaml:"EnableKeyRotation"`
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

// onlyConnector are the actions that lead to a card, by the key's name: its policy denies them to all other callers.
// Encrypting is among them, because a caller who can wrap a key of their own could have cards encrypted to it.
var onlyConnector = map[string][]string{
	"VaultKey": {"kms:Decrypt", "kms:Encrypt", "kms:GenerateDataKey", "kms:GenerateDataKeyPair", "kms:ReEncrypt*"},
	"CardKey":  {"kms:Decrypt", "kms:Encrypt", "kms:GenerateDataKey*", "kms:ReEncrypt*"},
}

func resources(t *testing.T) (all map[string]resource, global []string) {
	t.Helper()
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
	parse(t, &template)
	for name, value := range template.Globals.Function.Environment.Variables {
		if value.Value != "AWS::NoValue" {
			global = append(global, name)
		}
	}
	return template.Resources, global
}

// Rules whose violation a local run would not show.
func TestTemplateKeepsWhatOnlyAWSWouldMiss(t *testing.T) {
	all, _ := resources(t)
	mapped, keys := 0, 0
	for name, r := range all {
		own := strings.TrimSuffix(name, "Function") + "Role.Arn"
		if role := r.Properties.Role; r.Type == "AWS::Serverless::Function" && role != own {
			t.Errorf("%s has the role %q, not one of its own", name, role)
		}
		switch r.Type {
		case "AWS::Lambda::EventSourceMapping":
			mapped++
			if !slices.Equal(r.Properties.ResponseTypes, []string{"ReportBatchItemFailures"}) {
				t.Errorf("%s: without partial answers a failed message counts as done", name)
			}
			source := values(r.Properties.EventSource)[0]
			queue := all[strings.TrimSuffix(source, ".Arn")]
			if source != "Table.StreamArn" && (queue.Type != "AWS::SQS::Queue" || queue.Properties.Redrive.IsZero()) {
				t.Errorf("%s: %s has no dead-letter queue", name, source)
			}
		case "AWS::DynamoDB::Table":
			if r.Properties.TTL.Attribute != "ttl" || !r.Properties.TTL.Enabled {
				t.Errorf("%s: documents expire by their attribute ttl, not by %q", name, r.Properties.TTL.Attribute)
			}
			if name != "VaultTable" && name != "Listing" { // whose documents are worth nothing, or made of others
				checkRetained(t, name, r)
			}
		case "AWS::KMS::Key":
			if name == "AlarmKey" {
				continue // nothing is stored under it
			}
			checkRetained(t, name, r)
			if name == "SecretsKey" {
				checkSecretsKey(t, r)
				continue
			}
			keys++
			checkKey(t, name, r)
		}
	}
	if mapped != 9 {
		t.Errorf("%d queues and streams are mapped to functions", mapped)
	}
	if keys != len(onlyConnector) {
		t.Errorf("not all of %d keys are for ConnectorFunction and known to this test", keys)
	}
}

// checkRetained checks that a table or key is not deleted with the stack or replaced in an update.
func checkRetained(t *testing.T, name string, r resource) {
	t.Helper()
	if r.OnDelete != "RetainExceptOnCreate" || r.OnReplace != "Retain" ||
		r.Type == "AWS::DynamoDB::Table" && !r.Properties.Protected {
		t.Errorf("%s: deleted by %q, replaced by %q, deletion protection %t", name, r.OnDelete, r.OnReplace,
			r.Properties.Protected)
	}
}

// checkKey checks that a key's policy allows actions that lead to a card to ConnectorFunction's role alone.
func checkKey(t *testing.T, name string, r resource) {
	t.Helper()
	var denied []string
	for _, s := range r.Properties.KeyPolicy.Statement {
		role := s.Condition["ArnNotEquals"]["aws:PrincipalArn"]
		whole := s.Principal["AWS"] == "*" && s.Resource == "*" && len(s.Condition) == 1 &&
			len(s.Condition["ArnNotEquals"]) == 1
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
	if want := onlyConnector[name]; len(want) == 0 || !slices.Equal(denied, want) {
		t.Errorf("%s: the policy keeps %v for ConnectorFunction's role, not %v", name, denied, want)
	}
	if !r.Properties.Rotates {
		t.Errorf("%s does not rotate", name)
	}
}

// checkSecretsKey checks that every request has to name a use, which decides who may decrypt.
func checkSecretsKey(t *testing.T, r resource) {
	t.Helper()
	found := slices.ContainsFunc(r.Properties.KeyPolicy.Statement, func(s statement) bool {
		uses := s.Condition["StringNotEquals"]["kms:EncryptionContext:use"]
		return s.Effect == "Deny" && s.Principal["AWS"] == "*" &&
			slices.Equal(uses, texts{
				"password", "callback", "credentials", "fingerprint", "wallet-identity", "wallet-processing",
			}) &&
			len(s.Condition) == 1
	})
	if !found || !r.Properties.Rotates {
		t.Errorf("SecretsKey takes requests that name no use, or is not rotated")
	}
}

// Nothing of the vault table can be restored.
func TestNothingOfTheVaultIsRestored(t *testing.T) {
	all, _ := resources(t)
	for name, want := range map[string]bool{"Table": true, "VaultTable": false} {
		p := all[name].Properties
		if all[name].Type != "AWS::DynamoDB::Table" || p.Recovery.Enabled != want {
			t.Errorf("%s: point-in-time recovery is %v", name, p.Recovery.Enabled)
		}
		if !p.Encryption.Enabled || p.Billing != "PAY_PER_REQUEST" {
			t.Errorf("%s: encryption %v, billing %s", name, p.Encryption.Enabled, p.Billing)
		}
	}
	vault := all["VaultTable"]
	if p := vault.Properties; !p.Stream.IsZero() || !p.Kinesis.IsZero() || !p.Import.IsZero() || !p.Indexes.IsZero() ||
		!p.Replicas.IsZero() {
		t.Error("VaultTable has something that copies it: a stream, an import, an index or a replica")
	}
	if vault.OnDelete != "" || vault.OnReplace != "" || vault.Properties.Protected {
		t.Error("VaultTable outlives its stack")
	}
	for name, r := range all {
		if strings.HasPrefix(r.Type, "AWS::Backup::") || r.Type == "AWS::DynamoDB::GlobalTable" {
			t.Errorf("%s is a %s: see that it does not take VaultTable in", name, r.Type)
		}
	}
}

// TestOperatorsAreAChoice checks that nothing that lists payments is there without them, and that only the main table
// has a stream, of keys alone.
func TestOperatorsAreAChoice(t *testing.T) {
	with, without := readTemplate(t), func() *template.Template {
		read, err := stack(t, map[string]string{"Operators": "false"})
		if err != nil {
			t.Fatal(err)
		}
		return read
	}()
	ids := func(read *template.Template) (all []string) {
		for _, f := range read.Functions {
			all = append(all, f.ID)
			for _, s := range f.Streams {
				all = append(all, s.ID)
			}
		}
		for _, table := range read.Tables {
			all = append(all, table.ID)
			if table.StreamARN != "" {
				view := table.Definition["StreamSpecification"].(map[string]any)["StreamViewType"]
				all = append(all, fmt.Sprintf("stream of %s: %v", table.ID, view))
			}
		}
		for _, q := range read.Queues {
			all = append(all, q.ID)
		}
		return all
	}
	left := ids(without)
	if len(without.APIs) != 1 || len(with.APIs) != 2 {
		t.Errorf("%d APIs without operators, %d with them", len(without.APIs), len(with.APIs))
	}
	var more []string
	for _, id := range ids(with) {
		if !slices.Contains(left, id) {
			more = append(more, id)
		}
	}
	want := []string{
		"IndexFunction", "IndexSource", "AdminReadFunction", "AdminActFunction", "AdminSettingsFunction",
		"ArchiveFunction", "ArchiveSource",
		"stream of Table: KEYS_ONLY", "Listing", "DeadIndex", "DeadArchive",
	}
	if !slices.Equal(more, want) {
		t.Errorf("operators have %q, not %q", more, want)
	}
	all, _ := resources(t)
	p := all["Listing"].Properties
	if !p.Stream.IsZero() || p.Recovery.Enabled || !p.Encryption.Enabled || p.Billing != "PAY_PER_REQUEST" {
		t.Errorf("Listing is %+v", p)
	}
}

// vaultAccess is all that functions may do with the vault table.
var vaultAccess = map[string][]string{
	"SessionRole":   {"dynamodb:GetItem", "dynamodb:PutItem"},
	"PageRole":      {"dynamodb:GetItem", "dynamodb:PutItem"},
	"SweepRole":     {"dynamodb:BatchGetItem", "dynamodb:DeleteItem", "dynamodb:PutItem"},
	"NotifyRole":    {"dynamodb:DeleteItem"},
	"ConnectorRole": {"dynamodb:BatchGetItem", "dynamodb:DeleteItem", "dynamodb:GetItem"},
}

func TestWhoMayUseTheVaultTable(t *testing.T) {
	var template struct {
		Resources map[string]yaml.Node `yaml:"Resources"`
	}
	parse(t, &template)
	found := map[string][]string{}
	for name, node := range template.Resources {
		inspectYAML(&node, func(statement map[string]yaml.Node) {
			actions, resources := scalars(statement["Action"]), scalars(statement["Resource"])
			if slices.ContainsFunc(resources, func(r string) bool { return strings.Contains(r, "VaultTable") }) {
				found[name] = append(found[name], actions...)
			}
			if slices.Contains(resources, "*") &&
				slices.ContainsFunc(actions, func(a string) bool { return a == "*" || strings.HasPrefix(a, "dynamodb:") }) {
				t.Errorf("%s may use every table", name)
			}
		})
		slices.Sort(found[name])
	}
	for name := range template.Resources {
		if !slices.Equal(found[name], vaultAccess[name]) {
			t.Errorf("%s may do %v with the vault table, should be %v", name, found[name], vaultAccess[name])
		}
	}
}

// inspectYAML visits every mapping with an Action.
func inspectYAML(node *yaml.Node, visit func(map[string]yaml.Node)) {
	var mapping map[string]yaml.Node
	if node.Kind == yaml.MappingNode && node.Decode(&mapping) == nil && mapping["Action"].Kind != 0 {
		visit(mapping)
	}
	for _, inner := range node.Content {
		inspectYAML(inner, visit)
	}
	if node.Alias != nil {
		inspectYAML(node.Alias, visit)
	}
}

// scalars are a node's texts: its own, or those of its list.
func scalars(node yaml.Node) []string {
	if node.Alias != nil {
		return scalars(*node.Alias)
	}
	texts := []string{node.Value}
	for _, inner := range node.Content {
		texts = append(texts, scalars(*inner)...)
	}
	return slices.DeleteFunc(texts, func(s string) bool { return s == "" })
}

// template.yaml sets exactly the variables that a function asks for, each once.
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
		needs := app.Functions()[filepath.Base(r.Properties.CodeURI)].Needs().Variables
		slices.Sort(needs)
		if !slices.Equal(needs, set) {
			t.Errorf("%s: template.yaml sets %v, it needs %v", name, set, needs)
		}
	}
}

// A function that is traced needs the right to write traces before it is created. Without Tracing none has it.
func TestTracingIsAChoice(t *testing.T) {
	for value, want := range map[string]bool{"on": true, "off": false, "": false} {
		parameters := map[string]string{"Tracing": value}
		if value == "" {
			parameters = nil
		}
		read, err := stack(t, parameters)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range read.Functions {
			for _, action := range []string{"xray:PutTraceSegments", "xray:PutTelemetryRecords"} {
				if template.Allows(f.Policies, action, "*", nil) != want {
					t.Errorf("Tracing %q: %s of %s is not %v", value, action, f.ID, want)
				}
			}
		}
	}
}
