package template

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

var options = Options{
	StackName: "local", Region: "eu-central-1", Account: "000000000000",
	Domains:  map[string]string{PageSite: "localhost:3000", "Other": "localhost:3001"},
	QueueURL: func(name string) string { return "http://sqs/" + name },
}

func read(t *testing.T, text string) (*Template, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "template.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Read(file, options)
}

func TestTheSampleIsReadWhole(t *testing.T) {
	got, err := Read("testdata/sample.yaml", options)
	if err != nil {
		t.Fatal(err)
	}
	table := "arn:aws:dynamodb:eu-central-1:000000000000:table/local-Table"
	hello := Function{
		ID: "HelloFunction", Name: "hello", FullName: "local-HelloFunction",
		ARN:     "arn:aws:lambda:eu-central-1:000000000000:function:local-HelloFunction",
		Handler: "bootstrap", Timeout: 10 * time.Second, MemoryMB: 1024, SystemLog: "WARN", Concurrency: 3,
		RoleARN: "arn:aws:iam::000000000000:role/local-HelloFunctionRole",
		Environment: map[string]string{"TABLE": "local-Table", "BASE_URL": "http://localhost:3000", "MODE": "plain",
			"OTHER_URL": "http://localhost:3001", "THIRD_URL": "https://third.cloudfront.net",
			"JOINED": "a-local-${kept}"},
		Policies: []Statement{{Actions: []string{"dynamodb:GetItem"}, Resources: []string{table, table + "/index/due"}}},
	}
	worker := Function{
		ID: "Worker", Name: "worker", FullName: "local-Worker",
		ARN:     "arn:aws:lambda:eu-central-1:000000000000:function:local-Worker",
		Handler: "bootstrap", Timeout: 10 * time.Second, MemoryMB: 512, SystemLog: "INFO", Concurrency: -1,
		RoleARN:     "arn:aws:iam::000000000000:role/local-WorkerRole",
		Environment: map[string]string{"TABLE": "local-Table", "QUEUE": "http://sqs/local-Jobs"},
		Policies: []Statement{{Deny: true, Actions: []string{"sqs:*"},
			Resources: []string{"arn:aws:sqs:eu-central-1:000000000000:local-Jobs"}}},
		Queues: []QueueEvent{{
			ID: "Jobs", Place: "Resources.Worker.Properties.Events.Jobs.Properties.Queue",
			QueueARN: "arn:aws:sqs:eu-central-1:000000000000:local-Jobs", BatchSize: 20, Window: 2 * time.Second,
			MaxConcurrency: 4, PartialBatch: true,
		}},
		Schedules: []ScheduleEvent{{ID: "Often", Every: 5 * time.Minute}},
	}
	same(t, "functions", got.Functions, []Function{hello, worker})
	same(t, "routes", got.APIs[PublicAPI].Routes, []Route{
		{Method: "GET", Path: "/api/{name}", Function: "hello"}, {Path: "$default", Function: "hello"},
	})
	same(t, "queues", got.Queues, []Queue{
		{ID: "Jobs", Name: "local-Jobs", ARN: "arn:aws:sqs:eu-central-1:000000000000:local-Jobs",
			URL:        "http://sqs/local-Jobs",
			Attributes: map[string]string{"VisibilityTimeout": "60"}, DeadLetter: "arn:aws:sqs:eu-central-1:000000000000:dead",
			MaxReceive: 2},
		{ID: "Dead", Name: "dead", ARN: "arn:aws:sqs:eu-central-1:000000000000:dead", URL: "http://sqs/dead",
			Attributes: map[string]string{}},
	})
	if got.Tables[0].TTL != "ttl" || got.Tables[0].Definition["BillingMode"] != "PAY_PER_REQUEST" ||
		got.Tables[0].Definition["SSESpecification"] != nil {
		t.Errorf("table %+v", got.Tables[0])
	}
	if k := got.Keys[0]; k.Spec != "SYMMETRIC_DEFAULT" || k.Usage != "ENCRYPT_DECRYPT" || len(k.KeyID) != 36 ||
		!reflect.DeepEqual(k.Aliases, []string{"alias/vault"}) {
		t.Errorf("key %+v", k)
	}
	same(t, "key policy", got.Keys[0].Policy, []KeyStatement{
		{Principals: []string{"arn:aws:iam::000000000000:root"}, Actions: []string{"kms:*"}},
		{Deny: true, Principals: []string{"*"}, Actions: []string{"kms:Decrypt"},
			Conditions: []Condition{{"ArnNotEquals", "aws:PrincipalArn",
				[]string{"arn:aws:iam::000000000000:role/local-WorkerRole"}}}},
	})
	from := []Header{{"X-From", "local", true}}
	site := Site{RootObject: "index.html", Errors: []ErrorResponse{{403, 404, "/404.html"}}, Behaviors: []Behavior{
		{Pattern: "/api/*", ToAPI: true, Methods: []string{"GET", "HEAD"},
			Forward: Forward{AllHeaders: true, Cookies: true, Query: true}, Origin: from},
		{Pattern: "/page/*", ToAPI: true, Methods: []string{"GET", "HEAD"},
			Forward: Forward{Headers: []string{"cloudfront-viewer-address", "accept"}, Query: true}, Origin: from},
		{Pattern: "*", Methods: []string{"GET", "HEAD"}, Headers: []Header{
			{"Content-Security-Policy", "default-src 'none'", true},
			{"Strict-Transport-Security", "max-age=60; includeSubDomains", false}, {"X-Own", "1", true},
		}},
	}}
	other := Site{RootObject: "other.html", Behaviors: []Behavior{{Pattern: "*", Methods: []string{"GET", "HEAD"},
		Headers: []Header{{"X-Frame-Options", "DENY", true}}}}}
	same(t, "sites", got.Sites, map[string]Site{PageSite: site, "Other": other, "Third": other})
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

func TestTheRepositorysTemplateIsUnderstood(t *testing.T) {
	got, err := Read("../../../../template.yaml", options)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Functions) == 0 || len(got.APIs[PublicAPI].Routes) == 0 || len(got.Tables) == 0 || len(got.Queues) == 0 ||
		len(got.Keys) == 0 || len(got.Sites[PageSite].Behaviors) == 0 {
		t.Errorf("something is missing: %+v", got)
	}
	for _, f := range got.Functions {
		if url, ok := f.Environment["BASE_URL"]; ok && url != "http://localhost:3000" {
			t.Errorf("%s: BASE_URL %s", f.ID, url)
		}
		knows := f.Name == "page" || f.Name == "guard"
		if url := f.Environment["WALLET_URL"]; (url == "https://walletdistribution.cloudfront.net") != knows {
			t.Errorf("%s: WALLET_URL %s", f.ID, url)
		}
	}
}

// policyOf is the Content-Security-Policy of a site's pages with these parameters.
func policyOf(site string, parameters map[string]string) (string, error) {
	with := options
	with.Parameters = parameters
	got, err := Read("../../../../template.yaml", with)
	if err != nil {
		return "", err
	}
	behaviors := got.Sites[site].Behaviors
	page := behaviors[len(behaviors)-1]
	i := slices.IndexFunc(page.Headers, func(h Header) bool { return h.Name == "Content-Security-Policy" })
	return page.Headers[i].Value, nil
}

// The parameter FrameAncestors is one list for the page of all merchants.
func TestFrameAncestors(t *testing.T) {
	policy := func(origins string) (string, error) {
		return policyOf(PageSite, map[string]string{"FrameAncestors": origins})
	}
	plain, err := policy("")
	if err != nil || strings.Contains(plain, "frame-ancestors") || !strings.HasSuffix(plain, "base-uri 'none'") {
		t.Errorf("without: %q %v", plain, err)
	}
	const origins = "https://shop.example https://*.pens.example:8443"
	if got, err := policy(origins); err != nil || got != plain+"; frame-ancestors "+origins {
		t.Errorf("with: %q %v", got, err)
	}
	for _, wrong := range []string{
		"*", "https://shop.example;script-src *", "http://shop.example", "https://a.example,https://b.example",
	} {
		if got, err := policy(wrong); err == nil {
			t.Errorf("%q is accepted: %s", wrong, got)
		}
	}
}

// The page and what is around it are both around the frame of Google Pay. The page may show that frame and no other.
func TestWhatIsAroundTheFrameOfGooglePay(t *testing.T) {
	const certificate = "arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef"
	const origins = "https://shop.example https://*.pens.example:8443"
	domain := map[string]string{"DomainName": "pay.example", "CertificateArn": certificate}
	both := map[string]string{"DomainName": "pay.example", "CertificateArn": certificate, "FrameAncestors": origins}
	for _, c := range []struct {
		parameters map[string]string
		want       string // of the directives that say who may frame it
	}{
		{nil, ""}, {domain, ""}, {both, "; frame-ancestors https://pay.example " + origins},
		{map[string]string{"FrameAncestors": origins}, ""}, // the page's own name is not known there
	} {
		if got, err := policyOf(WalletSite, c.parameters); err != nil || !strings.HasSuffix(got, "base-uri 'none'"+c.want) {
			t.Errorf("%v: %q %v", c.parameters, got, err)
		}
	}
	own := map[string]string{"WalletDomainName": "wallet.example", "WalletCertificateArn": certificate}
	for host, parameters := range map[string]map[string]string{"walletdistribution.cloudfront.net": nil,
		"wallet.example": own} {
		got, err := policyOf(PageSite, parameters)
		if err != nil || !strings.Contains(got, "; frame-src "+host+"; base-uri") {
			t.Errorf("%v: %q %v", parameters, got, err)
		}
	}
}

// TestFaultsNameTheirPlace puts one fault at a time into the sample.
func TestFaultsNameTheirPlace(t *testing.T) {
	sample, err := os.ReadFile("testdata/sample.yaml")
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct{ name, old, new, want string }{
		{"unknown Ref", "TABLE: !Ref Table", "TABLE: !Ref Tabel",
			`template.yaml:22: Globals.Function.Environment.Variables.TABLE: no resource, parameter or pseudo parameter is ` +
				`called "Tabel"`},
		{"unknown resource in GetAtt", "Queue: !GetAtt Jobs.Arn", "Queue: !GetAtt Job.Arn",
			`Resources.Worker.Properties.Events.Jobs.Properties.Queue: no resource is called "Job"`},
		{"unknown attribute", "Queue: !GetAtt Jobs.Arn", "Queue: !GetAtt Jobs.Url", `AWS::SQS::Queue has no attribute "Url"`},
		{"unknown name in Sub", "${AWS::StackName}-", "${AWS::Stack}-",
			`Variables.JOINED: no resource, parameter or pseudo parameter is called "AWS::Stack"`},
		{"unknown condition", "!If [Plain,", "!If [Plane,", `no condition is called "Plane"`},
		{"unknown function", "MODE: !If", "MODE: !Iff", `the function Iff is not understood`},
		{"parameter without value", "Default: plain", "AllowedValues: [plain]",
			"the parameter Mode has no value and no Default"},
		{"dropped resource", "Type: AWS::SQS::Queue # dead", "Type: AWS::SQS::Queue\n    Condition: Never",
			`no resource is called "Dead"`},
		{"unknown integration", "Target: !Sub integrations/${HelloIntegration}", "Target: integrations/Nobody",
			`Resources.HelloRoute.Properties.Target: no integration is called "Nobody"`},
		{"integration without function", "IntegrationUri: !GetAtt HelloFunction.Arn", "IntegrationUri: arn:aws:lambda:x",
			"Resources.HelloIntegration.Properties.IntegrationUri: no function of this template: arn:aws:lambda:x"},
		{"no permission", "Principal: apigateway.amazonaws.com", "Principal: sns.amazonaws.com",
			"no AWS::Lambda::Permission lets this route call HelloFunction"},
		{"permission for another route", "${Api}/*", "${Api}/*/POST/*",
			"Resources.HelloRoute: no AWS::Lambda::Permission lets"},
		{"wrong method", "RouteKey: GET /api", "RouteKey: FETCH /api", `"FETCH /api/{name}" is not a method and a path`},
		{"wrong rate", "rate(5 minutes)", "rate(5 minutes", `"rate(5 minutes" is not a rate`},
		{"plural of one", "rate(5 minutes)", "rate(1 minutes)", "one minute, several minutes"},
		{"singular of many", "rate(5 minutes)", "rate(5 minute)", "one minute, several minutes"},
		{"ttl without attribute", "{AttributeName: ttl, Enabled: true}", "{Enabled: true}",
			"TimeToLiveSpecification.AttributeName: missing"},
		{"visibility below the time limit", "VisibilityTimeout: 60", "VisibilityTimeout: 5",
			"the queue's visibility timeout 5s is less than the function's timeout 10s"},
		{"policy by name", "Policies:\n        - Statement:\n            - Effect: Deny",
			"Policies:\n        - AmazonSQSFullAccess\n        - Statement:\n            - Effect: Deny",
			"managed policies are not understood"},
		{"policy template", "- Statement:\n            - Effect: Deny",
			"- SQSPollerPolicy: {QueueName: x}\n        - Statement:\n            - Effect: Deny", "has no Statement"},
		{"statement with a condition", "Effect: Deny", "Effect: Deny\n              Condition: {Bool: {a: b}}",
			"Condition.Bool: the operator is not understood"},
		{"wrong effect", "Effect: Deny", "Effect: Denied", "should be Allow or Deny"},
		{"large batch without window", "MaximumBatchingWindowInSeconds: 2", "Enabled: true",
			"must be at least 1 when BatchSize is above 10"},
		{"unknown origin", "TargetOriginId: page", "TargetOriginId: pages", `no origin is called "pages"`},
		{"foreign origin", "DomainName: !GetAtt Bucket.RegionalDomainName", "DomainName: example.com",
			"neither an API nor a bucket of this template: example.com"},
		{"circle", "QueueName: dead", "QueueName: !GetAtt Dead.QueueName", "references go round in a circle"},
		{"broken reference in a resource that is not run", "AlarmName: x", "AlarmName: !Ref Nobody",
			`Resources.Alarm.Properties.AlarmName: no resource, parameter or pseudo parameter is called "Nobody"`},
		{"broken output", "Value: !Ref Table", "Value: !Ref Nothing", `Outputs.Name.Value: no resource`},
		{"two functions of one binary", "CodeUri: functions/worker", "CodeUri: functions/hello",
			`runs the same binary "hello" as HelloFunction`},
		{"not a number", "BatchSize: 20", "BatchSize: many", "BatchSize: should be a whole number"},
		{"not YAML", "Resources:", "Resources: [", "template.yaml: yaml: "},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if strings.Count(string(sample), c.old) == 0 {
				t.Fatalf("the sample has no %q", c.old)
			}
			_, err := read(t, strings.Replace(string(sample), c.old, c.new, 1))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestAllFaultsAreReportedAtOnce(t *testing.T) {
	_, err := read(t, "Resources:\n  A: {Type: AWS::SQS::Queue, Properties: {QueueName: !Ref X}}\n  B: {Type: "+
		"AWS::SQS::Queue, Properties: {QueueName: !Ref Y}}\n")
	if err == nil || !strings.Contains(err.Error(), `"X"`) || !strings.Contains(err.Error(), `"Y"`) {
		t.Errorf("error %v", err)
	}
	if _, err := read(t, ""); err == nil {
		t.Error("an empty template was read")
	}
	if _, err := read(t, "Description: x\n"); err == nil {
		t.Error("a template without resources was read")
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"*", "", true}, {"/api/*", "/api/", true}, {"/api/*", "/api", false}, {"/api/*", "/api/a/b", true},
		{"a?c", "abc", true}, {"a?c", "ac", false}, {"a.c", "abc", false}, {"dynamodb:*Item", "dynamodb:GetItem", true},
	} {
		if got := Match(c.pattern, c.text); got != c.want {
			t.Errorf("Match(%q, %q) = %t", c.pattern, c.text, got)
		}
	}
}

func TestAQueueMappedApartFromItsFunction(t *testing.T) {
	const text = `Resources:
  Worker:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: functions/worker
      Handler: bootstrap
      Policies: [{Statement: [{
        Effect: Allow, Action: [sqs:ReceiveMessage, sqs:DeleteMessage, sqs:GetQueueAttributes],
        Resource: !GetAtt Jobs.Arn}]}]
  Source:
    Type: AWS::Lambda::EventSourceMapping
    Properties: {
      FunctionName: !Ref Worker, EventSourceArn: !GetAtt Jobs.Arn, BatchSize: 5,
      FunctionResponseTypes: [ReportBatchItemFailures]}
  Jobs: {Type: AWS::SQS::Queue}
`
	got, err := read(t, text)
	if err != nil {
		t.Fatal(err)
	}
	if q := got.Functions[0].Queues; len(q) != 1 || q[0].ID != "Source" || q[0].BatchSize != 5 || !q[0].PartialBatch {
		t.Errorf("queues %+v", q)
	}
	for _, c := range [][3]string{
		{"sqs:DeleteMessage, ", "", "Resources.Source.Properties: Worker may not sqs:DeleteMessage on"},
		{"FunctionName: !Ref Worker", "FunctionName: other",
			"Resources.Source.Properties.FunctionName: no function of this template: other"},
		{"EventSourceArn: !GetAtt Jobs.Arn", "EventSourceArn: arn:x", "no queue of this template: arn:x"},
	} {
		if _, err := read(t, strings.Replace(text, c[0], c[1], 1)); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("error %v\nwant %s", err, c[2])
		}
	}
}

func TestAFunctionHasThePoliciesOfTheRoleThatItNames(t *testing.T) {
	const text = `Resources:
  Worker:
    Type: AWS::Serverless::Function
    Properties: {CodeUri: functions/worker, Handler: bootstrap, Role: !GetAtt WorkerRole.Arn}
  WorkerRole:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument: {
        Statement: [{Effect: Allow, Principal: {Service: lambda.amazonaws.com}, Action: sts:AssumeRole}]}
      Policies: [{PolicyName: a, PolicyDocument: {
          Statement: [{Effect: Allow, Action: sqs:SendMessage, Resource: !GetAtt Jobs.Arn}]}}]
  Attached:
    Type: AWS::IAM::Policy
    Properties:
      PolicyName: b
      Roles: [!Ref WorkerRole]
      PolicyDocument: {Statement: [{Effect: Deny, Action: kms:Decrypt, Resource: '*'}]}
  Other:
    Type: AWS::IAM::Policy
    Properties: {
      PolicyName: c, Roles: [other], PolicyDocument: {Statement: [{Effect: Allow, Action: '*', Resource: '*'}]}}
  Jobs: {Type: AWS::SQS::Queue}
`
	got, err := read(t, text)
	if err != nil {
		t.Fatal(err)
	}
	if f := got.Functions[0]; f.RoleARN != "arn:aws:iam::000000000000:role/local-WorkerRole" {
		t.Errorf("role %s", f.RoleARN)
	}
	same(t, "policies", got.Functions[0].Policies, []Statement{
		{Actions: []string{"sqs:SendMessage"}, Resources: []string{"arn:aws:sqs:eu-central-1:000000000000:local-Jobs"}},
		{Deny: true, Actions: []string{"kms:Decrypt"}, Resources: []string{"*"}},
	})
	for _, c := range [][3]string{
		{"Role: !GetAtt WorkerRole.Arn", "Role: arn:x", "Resources.Worker.Properties.Role: no role of this template: arn:x"},
		{"Handler: bootstrap,", "Handler: bootstrap, Policies: [{Statement: []}],",
			"Resources.Worker.Properties.Policies: are ignored beside Role"},
		{"lambda.amazonaws.com", "ec2.amazonaws.com", "AssumeRolePolicyDocument: does not let lambda.amazonaws.com"},
		{"Policies: [{PolicyName: a", "ManagedPolicyArns: [x]\n      Policies: [{PolicyName: a",
			"ManagedPolicyArns: are not understood"},
	} {
		if _, err := read(t, strings.Replace(text, c[0], c[1], 1)); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("error %v\nwant %s", err, c[2])
		}
	}
}

func TestAFunctionWithAnAliasIsCalledByItAlone(t *testing.T) {
	const text = `Globals: {Function: {AutoPublishAlias: live}}
Resources:
  Hello:
    Type: AWS::Serverless::Function
    Properties: {CodeUri: functions/hello, Handler: bootstrap}
  Api: {Type: AWS::ApiGatewayV2::Api, Properties: {ProtocolType: HTTP}}
  Permission:
    Type: AWS::Lambda::Permission
    Properties: {FunctionName: !Ref Hello.Alias, Action: lambda:InvokeFunction, Principal: apigateway.amazonaws.com}
  Integration:
    Type: AWS::ApiGatewayV2::Integration
    Properties: {
      ApiId: !Ref Api, IntegrationType: AWS_PROXY, PayloadFormatVersion: '2.0', IntegrationUri: !Ref Hello.Alias}
  Route:
    Type: AWS::ApiGatewayV2::Route
    Properties: {ApiId: !Ref Api, RouteKey: GET /hello, Target: !Sub 'integrations/${Integration}'}
`
	got, err := read(t, text)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.APIs[PublicAPI].Routes) != 1 || got.Functions[0].Alias != "live" {
		t.Errorf("%+v", got)
	}
	for _, c := range [][3]string{
		{"IntegrationUri: !Ref Hello.Alias", "IntegrationUri: !GetAtt Hello.Arn",
			"IntegrationUri: no function of this template"},
		{"FunctionName: !Ref Hello.Alias", "FunctionName: !Ref Hello",
			"no AWS::Lambda::Permission lets this route call Hello"},
		{"{AutoPublishAlias: live}", "{Timeout: 3}", "Hello has no AutoPublishAlias"},
	} {
		if _, err := read(t, strings.Replace(text, c[0], c[1], 1)); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("error %v\nwant %s", err, c[2])
		}
	}
}
