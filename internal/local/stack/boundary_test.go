package stack

import (
	"slices"
	"strings"
	"testing"

	"checkout/internal/local/cloud/template"
)

// boundaryName is the name that infra/README.md gives the boundary of the stack checkout.
const boundaryName = "checkout-eu-central-1-boundary"

// readBoundary reads the policy that limits the stack's roles, filled in for the stack checkout.
func readBoundary(t *testing.T) []template.Statement {
	t.Helper()
	statements, _ := readPolicy(t, "boundary.json", 6144) // what a policy of one's own may have
	return statements
}

// ofReleases is what the role of gradual releases uses of AWSCodeDeployRoleForLambdaLimited.
var ofReleases = []template.Statement{
	{Actions: []string{"lambda:GetAlias", "lambda:UpdateAlias", "lambda:GetProvisionedConcurrencyConfig"},
		Resources: []string{"arn:aws:lambda:eu-central-1:000000000000:function:checkout-SessionFunction-1A2B:live"}},
	{Actions: []string{"cloudwatch:DescribeAlarms"}, Resources: []string{"*"}},
}

// tagged is the context of a request about a key of the stack, whose tags `make deploy` sets.
var tagged = template.Context{"aws:resourcetag/checkout:stack": {"checkout"}}

// TestBoundaryAllowsWhatRolesMay holds each permission of the functions against the boundary, which allows nothing
// else: without that, a function fails on AWS alone.
func TestBoundaryAllowsWhatRolesMay(t *testing.T) {
	boundary := readBoundary(t)
	restored := map[string]string{
		"RestoredTableName": "checkout-restored",
		"RestoredStreamArn": "arn:aws:dynamodb:eu-central-1:000000000000:table/checkout-restored/stream/2030-03-04",
	}
	used := map[string]bool{}
	for _, parameters := range []map[string]string{nil, restored, {"Tracing": "on"}} {
		read, err := stack(t, parameters)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string][]template.Statement{"CodeDeployServiceRole": ofReleases}
		for _, f := range read.Functions {
			all[f.ID] = f.Policies
		}
		for id, statements := range all {
			for _, s := range statements {
				for _, resource := range s.Resources {
					if log, ok := strings.CutSuffix(resource, "Log.Arn"); ok { // which the local cloud has not
						resource = "arn:aws:logs:eu-central-1:000000000000:log-group:checkout-" + log + "Log-1A2B:log-stream:x"
					}
					if topic, ok := strings.CutSuffix(resource, "Topic"); ok { // likewise
						resource = "arn:aws:sns:eu-central-1:000000000000:checkout-" + topic + "Topic-1A2B"
					}
					for _, action := range s.Actions {
						if used[action] = true; !template.Allows(boundary, action, resource, tagged) {
							t.Errorf("%s may %s on %s, the boundary does not allow it", id, action, resource)
						}
					}
				}
			}
		}
	}
	for _, s := range boundary {
		for _, action := range s.Actions {
			if !used[action] || s.Deny {
				t.Errorf("no role needs %s", action)
			}
		}
	}
}

// TestBoundaryIsNarrow checks that a role which may do everything reaches nothing outside of the stack.
func TestBoundaryIsNarrow(t *testing.T) {
	boundary := readBoundary(t)
	for _, one := range [][2]string{
		{"iam:CreateRole", "arn:aws:iam::000000000000:role/checkout-x"}, {"iam:PassRole", "*"},
		{"sts:AssumeRole", "arn:aws:iam::000000000000:role/checkout-x"},
		{"dynamodb:GetItem", "arn:aws:dynamodb:eu-central-1:000000000000:table/another-Table"},
		{"dynamodb:Scan", "arn:aws:dynamodb:eu-central-1:000000000000:table/checkout-Table"},
		{"dynamodb:UpdateItem", "arn:aws:dynamodb:eu-central-1:000000000000:table/checkout-Table"},
		{"s3:GetObject", "arn:aws:s3:::checkout-logbucket-1a2b/page/x"},
		{"s3:PutObject", "arn:aws:s3:::checkout-bucket-1a2b/index.html"},
		{"s3:DeleteObjectVersion", "arn:aws:s3:::checkout-auditbucket-1a2b/audit/x"},
		{"secretsmanager:GetSecretValue", "arn:aws:secretsmanager:eu-central-1:000000000000:secret:checkout-x"},
		{"sqs:SendMessage", "arn:aws:sqs:eu-central-1:000000000000:another-Jobs-1A2B"},
		{"lambda:UpdateFunctionCode", "arn:aws:lambda:eu-central-1:000000000000:function:checkout-SessionFunction"},
	} {
		if template.Allows(boundary, one[0], one[1], tagged) {
			t.Errorf("%s is allowed on %s", one[0], one[1])
		}
	}
	for _, context := range []template.Context{nil, {"aws:resourcetag/checkout:stack": {"another"}}} {
		if template.Allows(boundary, "kms:Decrypt", "arn:aws:kms:eu-central-1:000000000000:key/1a2b", context) {
			t.Errorf("a key with %v can be used", context)
		}
	}
	for _, s := range boundary {
		for _, action := range s.Actions {
			if strings.Contains(action, "*") {
				t.Errorf("%s is allowed, whatever that will be", action)
			}
		}
	}
}

// TestEveryRoleHasTheBoundary checks that the template has all roles in it, each with the boundary.
func TestEveryRoleHasTheBoundary(t *testing.T) {
	var document struct {
		Globals struct {
			Function struct {
				Deployment struct {
					Role string `yaml:"Role"`
				} `yaml:"DeploymentPreference"`
			} `yaml:"Function"`
		} `yaml:"Globals"`
		Resources map[string]struct {
			Type       string `yaml:"Type"`
			Properties struct {
				Role     string   `yaml:"Role"`
				Boundary []string `yaml:"PermissionsBoundary"`
			} `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	parse(t, &document)
	want := []string{"HasPermissionsBoundary", "PermissionsBoundaryArn", "AWS::NoValue"}
	if role := document.Globals.Function.Deployment.Role; role != "CodeDeployServiceRole.Arn" {
		t.Errorf("SAM makes the role of releases: %q", role)
	}
	roles := 0
	for id, r := range document.Resources {
		switch {
		case r.Type == "AWS::Serverless::Function" && r.Properties.Role == "":
			t.Errorf("SAM makes the role of %s", id)
		case r.Type == "AWS::IAM::Role":
			if roles++; !slices.Equal(r.Properties.Boundary, want) {
				t.Errorf("%s has the boundary %q", id, r.Properties.Boundary)
			}
		}
	}
	if roles == 0 {
		t.Error("no role was found")
	}
}
