package stack

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"checkout/internal/local/cloud/template"

	"gopkg.in/yaml.v3"
)

var update = flag.Bool("update", false, "write testdata/handlers.json from the schemas of cfn-lint")

// madeBySAM are the resources that SAM makes of a function with its alias, role, schedule and gradual releases.
var madeBySAM = []string{
	"AWS::Lambda::Function", "AWS::Lambda::Version", "AWS::Lambda::Alias", "AWS::Lambda::Permission", "AWS::IAM::Role",
	"AWS::Events::Rule", "AWS::CodeDeploy::Application", "AWS::CodeDeploy::DeploymentGroup",
}

// unusedFeatures are permissions of CloudFormation's handlers for what no resource of the template has.
var unusedFeatures = map[string]string{
	"*:AllowVendedLogDeliveryForResource": "logs of other services", "s3:REST.PUT.OBJECT": "no action of IAM",
	"ec2:*": "functions in a VPC", "elasticfilesystem:*": "file systems of functions", "s3files:*": "the same",
	"kinesis:*": "streams of tables", "firehose:*": "streams of logs", "s3tables:*": "metadata tables of buckets",
	"dynamodb:*Item": "imports and replicas of tables", "dynamodb:Query": "the same", "dynamodb:Scan": "the same",
	"dynamodb:*TableReplica": "the same", "dynamodb:ImportTable": "the same",
	"dynamodb:*ableKinesisStreamingDestination":  "streams of tables",
	"dynamodb:UpdateKinesisStreamingDestination": "the same",
	"dynamodb:PutResourcePolicy":                 "policies of tables", "dynamodb:DeleteResourcePolicy": "the same",
	"dynamodb:UpdateContributorInsights": "statistics of keys", "iam:CreateServiceLinkedRole": "replicas of tables",
	"kms:CreateGrant": "tables and functions under a key of one's own", "kms:RevokeGrant": "the same",
	"kms:GenerateDataKeyWithoutPlaintext": "the same", "kms:ReEncrypt*": "the same",
	"cognito-idp:AddCustomAttributes": "what people have beside their address",
	"kms:Decrypt":                     "a key of one's own", "kms:Encrypt": "the same", "kms:GenerateDataKey": "the same",
	"kms:ListAliases":      "the same",
	"logs:CreateLogStream": "imports of tables", "logs:DescribeLogStreams": "the same", "logs:PutLogEvents": "the same",
	"logs:*ssociateKmsKey": "logs under a key of one's own", "logs:PutDataProtectionPolicy": "masks of logs",
	"logs:DeleteDataProtectionPolicy": "the same", "logs:PutIndexPolicy": "indexes of logs",
	"logs:DeleteIndexPolicy": "the same", "logs:PutBearerTokenAuthentication": "logs by HTTP",
	"lambda:*ProvisionedConcurrencyConfig": "functions that wait for calls", "lambda:PassCapacityProvider": "the same",
	"lambda:AssociateRuntimeAlias": "a chosen version of a runtime", "lambda:GetLayerVersion": "layers",
	"lambda:GetCodeSigningConfig": "signed code", "iam:DeleteRolePermissionsBoundary": "roles without one",
	"iam:*GroupPolicy": "policies of groups", "iam:*UserPolicy": "policies of users",
	"sns:PutDataProtectionPolicy": "masks of messages", "cloudfront:*ConnectionGroup": "distributions for tenants",
	"cloudfront:GetVpcOrigin": "origins in a VPC", "secretsmanager:*Replicat*": "copies of secrets",
	"cloudformation:*StackPolicy":                "resources that no update changes",
	"cloudformation:UpdateTerminationProtection": "stacks that nobody deletes",
}

// toolNeeds are the permissions that the tools need beside CloudFormation's handlers.
var toolNeeds = map[string][]string{
	"sam deploy, and infra/tools/deploy": {
		"cloudformation:CreateChangeSet", "cloudformation:DescribeChangeSet", "cloudformation:ExecuteChangeSet",
		"cloudformation:DeleteChangeSet", "cloudformation:DeleteStack", "cloudformation:DescribeStacks",
		"cloudformation:DescribeStackEvents", "cloudformation:DescribeStackResource", "cloudformation:ListStackResources",
		"cloudformation:GetTemplateSummary", "s3:ListBucketVersions", "s3:DeleteObjectVersion",
		"s3:GetObject", "s3:PutObject",
	},
	"infra/tools/upload-page": {
		"s3:PutObject", "s3:ListBucket", "cloudfront:CreateInvalidation", "dynamodb:PutItem"},
	"infra/tools/origin-certificate":              {"s3:GetObject", "acm:ImportCertificate", "acm:AddTagsToCertificate"},
	"the logs of CloudFront":                      {"cloudfront:AllowVendedLogDeliveryForResource"},
	"the access log of an HTTP API":               {"logs:UpdateLogDelivery", "logs:ListLogDeliveries"},
	"the policies of AWS that SAM gives to roles": {"iam:AttachRolePolicy", "iam:DetachRolePolicy"},
}

// places are where the permissions of a service are needed for a stack STACK in REGION.
var places = map[string][]string{
	"apigateway":  {"arn:aws:apigateway:REGION::/apis/a1", "arn:aws:apigateway:REGION::/tags/arn"},
	"s3":          {"arn:aws:s3:::STACK-bucket-1a2b", "arn:aws:s3:::STACK-walletbucket-1a2b/index.html"},
	"acm":         {"arn:aws:acm:us-east-1:000000000000:certificate/1a2b"},
	"cloudfront":  {"arn:aws:cloudfront::000000000000:function/STACK-REGION-plain-path"},
	"dynamodb":    {"arn:aws:dynamodb:REGION:000000000000:table/STACK-Table-1A2B"},
	"sqs":         {"arn:aws:sqs:REGION:000000000000:STACK-Jobs-1A2B"},
	"sns":         {"arn:aws:sns:REGION:000000000000:STACK-Alarms-1A2B"},
	"kms":         {"arn:aws:kms:REGION:000000000000:key/1a2b"},
	"cognito-idp": {"arn:aws:cognito-idp:REGION:000000000000:userpool/REGION_1a2b"},
	"secretsmanager": {
		"arn:aws:secretsmanager:REGION:000000000000:secret:STACK-REGION-origin-1-1a2b"},
	"lambda": {
		"arn:aws:lambda:REGION:000000000000:function:STACK-SessionFunction-1A2B",
		"arn:aws:lambda:REGION:000000000000:function:STACK-SessionFunction-1A2B:live",
		"arn:aws:lambda:REGION:000000000000:event-source-mapping:1a2b"},
	"iam":        {"arn:aws:iam::000000000000:role/STACK-SessionFunctionRole-1A2B"},
	"codedeploy": {"arn:aws:codedeploy:REGION:000000000000:application:STACK-ServerlessDeploymentApplication-1A2B"},
	"events":     {"arn:aws:events:REGION:000000000000:rule/STACK-SweepFunctionEvery-1A2B"},
	"cloudwatch": {"arn:aws:cloudwatch:REGION:000000000000:alarm:STACK-SweepSilentAlarm-1A2B",
		"arn:aws:cloudwatch::000000000000:dashboard/STACK-REGION"},
	"logs": {"arn:aws:logs:REGION:000000000000:log-group:STACK-SessionLog-1A2B:log-stream:",
		"arn:aws:logs:REGION:000000000000:delivery-source:STACK-page",
		"arn:aws:logs:REGION:000000000000:delivery-destination:STACK-bucket",
		"arn:aws:logs:REGION:000000000000:delivery:1a2b"},
	"cloudformation": {"arn:aws:cloudformation:REGION:000000000000:stack/STACK/1a2b"},
}

// readPolicy reads a policy of infra/iam, filled in for the stack checkout, which may have that many characters, and
// the conditions of each statement as a text.
func readPolicy(t *testing.T, name string, most int) (statements []template.Statement, conditions []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "infra/iam", name))
	if err != nil {
		t.Fatal(err)
	}
	filled := strings.NewReplacer("{ACCOUNT}", "000000000000", "{REGION}", "eu-central-1", "{STACK}", "checkout",
		"{BUCKET}", "checkout").Replace(string(text))
	// A stack's name may have 32 characters more than this one.
	size := len(regexp.MustCompile(`\s`).ReplaceAllString(filled, ""))
	if size += 32 * strings.Count(filled, "checkout"); size > most {
		t.Errorf("%s may have %d characters", name, size)
	}
	var policy struct {
		Statement []struct {
			Effect    string                      `yaml:"Effect"`
			Action    texts                       `yaml:"Action"`
			Resource  texts                       `yaml:"Resource"`
			Condition map[string]map[string]texts `yaml:"Condition"`
		} `yaml:"Statement"`
	}
	if err := yaml.Unmarshal([]byte(filled), &policy); err != nil {
		t.Fatal(err)
	}
	for _, s := range policy.Statement {
		one := template.Statement{Deny: s.Effect != "Allow", Actions: s.Action, Resources: s.Resource}
		for operator, keys := range s.Condition {
			for key, values := range keys {
				one.Conditions = append(one.Conditions, template.Condition{Operator: operator, Key: key, Values: values})
			}
		}
		statements, conditions = append(statements, one), append(conditions, fmt.Sprint(s.Condition))
	}
	return statements, conditions
}

// readDeployer reads the policy of whoever deploys without its conditions, and these apart.
func readDeployer(t *testing.T) (statements []template.Statement, conditions []string) {
	t.Helper()
	statements, conditions = readPolicy(t, "deployer.json", 10240) // what the policies inside a role may have
	for i, s := range statements {
		if s.Deny {
			t.Errorf("statement %d allows nothing", i+1)
		}
		statements[i].Conditions = nil
	}
	return statements, conditions
}

// alarmsStack is the name that CloudFormation gives the stack inside another one.
const alarmsStack = "STACK-Alarms-1A2B"

// deployed are the templates of a deployment, with the Region and the name of each one's stack.
var deployed = []struct{ file, region, stack string }{
	{"template.yaml", "eu-central-1", "STACK"}, {"infra/alarms.yaml", "eu-central-1", alarmsStack},
	{"infra/edge.yaml", "us-east-1", "STACK-eu-central-1-edge"},
}

// typesOf are the types of a template's resources.
func typesOf(t *testing.T, file string) (types []string) {
	t.Helper()
	var document struct {
		Resources map[string]struct {
			Type string `yaml:"Type"`
		} `yaml:"Resources"`
	}
	text, err := os.ReadFile(filepath.Join(root, file))
	if err == nil {
		err = yaml.Unmarshal(text, &document)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range document.Resources {
		if r.Type == "AWS::Serverless::Function" {
			types = append(types, madeBySAM...)
		} else {
			types = append(types, r.Type)
		}
	}
	return sorted(types)
}

// handlers returns the permissions that CloudFormation's handlers need for types.
func handlers(t *testing.T, types []string) map[string][]string {
	t.Helper()
	file := filepath.Join("testdata", "handlers.json")
	var stored map[string][]string
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &stored)
	}
	if err != nil && !*update {
		t.Fatal(err)
	}
	found, _ := filepath.Glob(filepath.Join(os.Getenv("CHECKOUT_TOOLS"), "venv/lib/*/site-packages/cfnlint/data/schemas"))
	switch {
	case len(found) == 0 && *update:
		t.Fatal("no cfn-lint: run `make tools`, and set CHECKOUT_TOOLS")
	case len(found) == 0:
		t.Log("testdata/handlers.json is not compared with cfn-lint, which is not there: run `make tools`")
	default:
		fresh := readHandlers(t, found[0], types)
		if *update {
			text, _ := json.MarshalIndent(fresh, "", " ")
			if err := os.WriteFile(file, append(text, '\n'), 0o600); err != nil {
				t.Fatal(err)
			}
			stored = fresh
		}
		if !maps.EqualFunc(stored, fresh, slices.Equal) {
			t.Error("testdata/handlers.json is not what cfn-lint knows: go test ./internal/local/stack -run Deployer -update")
		}
	}
	if known := slices.Sorted(maps.Keys(stored)); !slices.Equal(known, types) {
		t.Errorf("testdata/handlers.json has %q, the templates have %q: "+
			"go test ./internal/local/stack -run Deployer -update, with CHECKOUT_TOOLS", known, types)
	}
	return stored
}

// readHandlers reads the permissions of all handlers but those that list an account's resources.
func readHandlers(t *testing.T, schemas string, types []string) map[string][]string {
	t.Helper()
	read := func(file string, into any) {
		text, err := os.ReadFile(filepath.Join(schemas, file))
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var names map[string]string
	read("providers/eu-central-1.json", &names)
	all := map[string][]string{}
	for _, kind := range types {
		var schema struct {
			Handlers map[string]struct{ Permissions []string }
		}
		read("resources/"+names[kind]+".json", &schema)
		delete(schema.Handlers, "list")
		for _, h := range schema.Handlers {
			all[kind] = append(all[kind], h.Permissions...)
		}
		if all[kind] = sorted(all[kind]); len(all[kind]) == 0 {
			t.Errorf("no permissions of %s", kind)
		}
	}
	return all
}

// permission is an action in a Region on what belongs to a stack.
type permission struct{ action, region, stack string }

// allowed reports whether a permission is allowed at one of the places of a stack.
func (p permission) allowed(statements []template.Statement) bool {
	service, _, _ := strings.Cut(p.action, ":")
	at := strings.NewReplacer("REGION", p.region, "STACK", p.stack)
	return slices.ContainsFunc(places[service], func(place string) bool {
		return template.Allows(statements, p.action, at.Replace(place), nil)
	})
}

// of is the same permission for another stack than STACK.
func (p permission) of(stack string) permission {
	p.stack = strings.Replace(p.stack, "STACK", stack, 1)
	return p
}

// TestDeployer holds the policy of whoever deploys against what CloudFormation and the tools need for the templates.
func TestDeployer(t *testing.T) {
	statements, _ := readDeployer(t)
	needed, unused := deployerNeeds(t)
	for p, why := range needed {
		if !p.of("checkout").allowed(statements) {
			t.Errorf("%s is not allowed in %s: %s needs it", p.action, p.region, why)
		}
	}
	if len(unused) > 0 {
		t.Errorf("no handler needs %q", unused)
	}
	for _, s := range statements {
		for _, pattern := range s.Actions {
			if !slices.ContainsFunc(slices.Collect(maps.Keys(needed)), func(p permission) bool {
				return template.Match(strings.ToLower(pattern), strings.ToLower(p.action))
			}) {
				t.Errorf("nothing needs %s", pattern)
			}
		}
	}
}

// deployerNeeds returns which permissions are needed, with what for, and which unused features no handler names.
func deployerNeeds(t *testing.T) (needed map[permission]string, unused []string) {
	t.Helper()
	needed, unused = map[permission]string{}, slices.Sorted(maps.Keys(unusedFeatures))
	for tool, actions := range toolNeeds {
		for _, action := range actions {
			needed[permission{action, "eu-central-1", "STACK"}] = tool
		}
	}
	var all []string
	for _, one := range deployed {
		all = append(all, typesOf(t, one.file)...)
	}
	permissions := handlers(t, sorted(all))
	for _, one := range deployed {
		for _, kind := range typesOf(t, one.file) {
			for _, action := range permissions[kind] {
				isFor := func(pattern string) bool { return template.Match(pattern, action) }
				of := one.stack
				if kind == "AWS::CloudFormation::Stack" && strings.HasPrefix(action, "cloudformation:") {
					of = alarmsStack
				}
				if !slices.ContainsFunc(slices.Collect(maps.Keys(unusedFeatures)), isFor) {
					needed[permission{action, one.region, of}] = kind
				}
				unused = slices.DeleteFunc(unused, isFor)
			}
		}
	}
	return needed, unused
}

// withoutNames are the permissions that AWS can't narrow to the names of a stack, because what they are about has an id
// or is the account's.
var withoutNames = []string{
	"apigateway:*", "cognito-idp:*", "cloudfront:*Distribution*", "cloudfront:*OriginAccessControl",
	"cloudfront:*ResponseHeadersPolicy", "cloudfront:*Resource", "cloudfront:CreateInvalidation",
	"cloudformation:GetTemplateSummary", "kms:*", "lambda:*EventSourceMapping", "lambda:*Tags",
	"lambda:*agResource", "logs:*LogDeliver*", "logs:*ResourcePolic*", "logs:Describe*", "logs:*Delivery",
	"logs:UpdateDeliveryConfiguration", "logs:*agResource", "logs:ListTags*", "acm:*",
	"secretsmanager:GetRandomPassword", "sns:Unsubscribe",
}

// bounded is the condition of what gives a role rights.
const bounded = "StringEquals:map[iam:PermissionsBoundary:[arn:aws:iam::000000000000:policy/" + boundaryName + "]]"

// narrowed are conditions of permissions that names do not narrow, or not enough.
var narrowed = map[string]string{
	"dynamodb:PutItem":                "ForAllValues:StringEquals:map[dynamodb:LeadingKeys:[release/page]]",
	"kms:PutKeyPolicy":                "aws:ResourceTag/checkout:stack:[checkout]",
	"kms:ScheduleKeyDeletion":         "aws:ResourceTag/checkout:stack:[checkout]",
	"lambda:CreateEventSourceMapping": "function:checkout-*", "lambda:DeleteEventSourceMapping": "function:checkout-*",
	"kms:TagResource": "aws:RequestTag/checkout:stack:[checkout]", "acm:ImportCertificate": "checkout:stack:[checkout]",
	"iam:PassRole": "iam:PassedToService", "iam:AttachRolePolicy": "iam:PolicyARN:[arn:aws:iam::aws:policy/",
	"iam:CreateRole": bounded, "iam:PutRolePolicy": bounded, "iam:PutRolePermissionsBoundary": bounded,
}

// TestDeployerIsNarrow checks that whoever deploys reaches no other stack where names can tell, and no data.
func TestDeployerIsNarrow(t *testing.T) {
	statements, conditions := readDeployer(t)
	needed, _ := deployerNeeds(t)
	for p := range needed {
		known := slices.ContainsFunc(withoutNames, func(pattern string) bool { return template.Match(pattern, p.action) })
		if p.of("another").allowed(statements) && !known {
			t.Errorf("%s is allowed in another stack", p.action)
		}
	}
	for action, condition := range narrowed {
		for i, s := range statements {
			matches := func(pattern string) bool { return template.Match(pattern, action) }
			if slices.ContainsFunc(s.Actions, matches) && !strings.Contains(conditions[i], condition) {
				t.Errorf("%s has the condition %s, without %s", action, conditions[i], condition)
			}
		}
	}
	if template.Allows(statements, "s3:GetObject", "arn:aws:s3:::checkout-logbucket-1a2b/page/x", nil) {
		t.Error("CloudFront's logs can be read")
	}
	for _, action := range []string{
		"dynamodb:GetItem", "dynamodb:Query", "dynamodb:Scan", "dynamodb:DeleteItem",
		"dynamodb:PartiQLSelect", "dynamodb:ExportTableToPointInTime", "dynamodb:PutResourcePolicy", "sqs:ReceiveMessage",
		"sqs:SendMessage", "sqs:PurgeQueue", "kms:Decrypt", "kms:GenerateDataKey", "kms:GenerateDataKeyWithoutPlaintext",
		"kms:CreateGrant", "kms:ReEncryptFrom", "lambda:InvokeFunction", "lambda:InvokeFunctionUrl", "logs:GetLogEvents",
		"logs:FilterLogEvents", "logs:StartQuery", "sns:Publish", "iam:CreateUser", "iam:CreateAccessKey",
		"sts:AssumeRole",
	} {
		if (permission{action, "eu-central-1", "checkout"}).allowed(statements) {
			t.Errorf("%s is allowed", action)
		}
	}
	for _, action := range []string{
		"iam:CreatePolicy", "iam:CreatePolicyVersion", "iam:SetDefaultPolicyVersion", "iam:DeletePolicyVersion",
		"iam:DeletePolicy", "iam:DeleteRolePermissionsBoundary",
	} {
		for _, resource := range []string{
			"arn:aws:iam::000000000000:policy/" + boundaryName, "arn:aws:iam::000000000000:role/checkout-SessionRole-1A2B",
		} {
			if template.Allows(statements, action, resource, nil) {
				t.Errorf("%s is allowed on %s", action, resource)
			}
		}
	}
	for i, s := range statements { // narrowed has its other condition
		if slices.Contains(s.Actions, "iam:AttachRolePolicy") && !strings.Contains(conditions[i], bounded) {
			t.Errorf("policies are attached with the condition %s", conditions[i])
		}
	}
}
