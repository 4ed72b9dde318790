package stack

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"checkout/internal/app"

	"gopkg.in/yaml.v3"
)

// received are the actions that Lambda needs on a queue that is mapped to a function.
var received = []string{"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility",
	"sqs:GetQueueAttributes"}

// readsStream are the actions that Lambda needs on a stream that is mapped to a function.
var readsStream = []string{"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator",
	"dynamodb:ListStreams"}

// TestPermissionsOfEveryFunction compares what template.yaml allows each function with what its ports need, which they
// say themselves. That a function can use no other port, the compiler knows.
func TestPermissionsOfEveryFunction(t *testing.T) {
	allowed := permissions(t)
	for name, f := range app.Functions() {
		logical, wanted := allowed.logical(name), f.Needs().Actions
		for resource, actions := range allowed.mapped[logical] {
			wanted[resource] = append(wanted[resource], actions...)
		}
		of := allowed.of[logical]
		for _, resource := range sorted(slices.AppendSeq(slices.Collect(maps.Keys(of)), maps.Keys(wanted))) {
			if has, needs := sorted(of[resource]), sorted(wanted[resource]); !slices.Equal(has, needs) {
				t.Errorf("%s: template.yaml allows %v on %s, the function needs %v", name, has, resource, needs)
			}
		}
	}
}

// logical is the logical id of a function.
func (a allowance) logical(function string) string {
	for id := range a.of {
		if strings.EqualFold(id, function+"Function") {
			return id
		}
	}
	return ""
}

func sorted(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }

// allowance is what template.yaml allows: actions by function and resource, and those that come with a mapped queue.
type allowance struct {
	of, mapped map[string]map[string][]string
}

// policy is a policy of a function or a role, or a resource by itself.
type policy struct {
	Statement      []allow `yaml:"Statement"`
	PolicyDocument struct {
		Statement []allow `yaml:"Statement"`
	} `yaml:"PolicyDocument"`
}

type allow struct {
	Effect   string    `yaml:"Effect"`
	Action   yaml.Node `yaml:"Action"`
	Resource yaml.Node `yaml:"Resource"`
}

// UnmarshalYAML reads a statement. Of an If it takes the first, as if all conditions were true.
func (a *allow) UnmarshalYAML(n *yaml.Node) error {
	if n.Tag == "!If" {
		n = n.Content[1]
	}
	type plain allow
	return n.Decode((*plain)(a))
}

// values are the texts of a scalar or a list. Of an If it takes the value for the default parameters.
func values(n yaml.Node) []string {
	switch {
	case n.Kind == yaml.AliasNode:
		return values(*n.Alias)
	case n.Tag == "!If":
		return values(*n.Content[2])
	case n.Tag == "!Join":
		return []string{strings.Join(values(*n.Content[1]), n.Content[0].Value)}
	}
	if n.Kind == yaml.ScalarNode {
		return []string{n.Value}
	}
	var all []string
	for _, e := range n.Content {
		if e.Kind == yaml.AliasNode {
			e = e.Alias
		}
		all = append(all, values(*e)...)
	}
	return all
}

// permissions reads what template.yaml allows each function, in its own policies, in its role's, and in those added to
// its role.
func permissions(t *testing.T) allowance {
	t.Helper()
	var template struct {
		Resources map[string]struct {
			Type       string `yaml:"Type"`
			Properties struct {
				policy      `yaml:",inline"`
				Policies    yaml.Node `yaml:"Policies"`
				Role        string    `yaml:"Role"`
				Roles       []string  `yaml:"Roles"`
				Function    string    `yaml:"FunctionName"`
				EventSource yaml.Node `yaml:"EventSourceArn"`
				Failed      struct {
					To struct {
						Queue string `yaml:"Destination"`
					} `yaml:"OnFailure"`
				} `yaml:"DestinationConfig"`
			} `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	parse(t, &template)
	all := allowance{map[string]map[string][]string{}, map[string]map[string][]string{}}
	roles := map[string]string{} // the function of a role
	for name, r := range template.Resources {
		if r.Type == "AWS::Serverless::Function" {
			all.of[name] = map[string][]string{}
			roles[strings.TrimSuffix(r.Properties.Role, ".Arn")] = name
		}
	}
	for name, r := range template.Resources {
		p := r.Properties
		switch r.Type {
		case "AWS::Serverless::Function", "AWS::IAM::Role":
			var policies []policy
			if err := p.Policies.Decode(&policies); err != nil && !p.Policies.IsZero() {
				t.Fatalf("%s: %v", name, err)
			}
			if r.Type == "AWS::IAM::Role" {
				name = roles[name]
			}
			all.add(t, name, policies...)
		case "AWS::IAM::Policy":
			for _, role := range p.Roles {
				all.add(t, roles[role], p.policy)
			}
		case "AWS::Lambda::EventSourceMapping":
			function := strings.TrimSuffix(p.Function, ".Alias")
			if all.mapped[function] == nil {
				all.mapped[function] = map[string][]string{}
			}
			source := values(p.EventSource)[0]
			all.mapped[function][source] = received
			if strings.HasSuffix(source, ".StreamArn") {
				all.mapped[function][source] = readsStream
				all.mapped[function][p.Failed.To.Queue] = []string{"sqs:SendMessage"}
			}
		}
	}
	return all
}

func (a allowance) add(t *testing.T, function string, policies ...policy) {
	t.Helper()
	if a.of[function] == nil {
		return // a role of something else
	}
	for _, p := range policies {
		for _, s := range append(p.Statement, p.PolicyDocument.Statement...) {
			if s.Effect != "Allow" {
				continue
			}
			for _, resource := range values(s.Resource) {
				for _, action := range values(s.Action) {
					if service, _, _ := strings.Cut(action, ":"); service != "logs" && service != "xray" {
						a.of[function][resource] = append(a.of[function][resource], action)
					}
				}
			}
		}
	}
}
