package stack

import (
	"cmp"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"checkout/internal/local/cloud/template"

	"gopkg.in/yaml.v3"
)

// certificate is one of CloudFront's.
const certificate = "arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef"

// origin has the parameters of the API's own domain, one of them changed.
func origin(name, value string) map[string]string {
	parameters := map[string]string{
		"OriginDomainName": "origin.example.com", "OriginTruststoreVersion": "1",
		"OriginCertificateArn":       strings.Replace(certificate, "us-east-1", "eu-west-1", 1),
		"OriginClientCertificateArn": certificate,
	}
	parameters[name] = value
	return parameters
}

// CloudFormation refuses these parameters before it changes anything.
func TestParametersThatCanNotBe(t *testing.T) {
	for _, c := range []struct {
		want       string // in the error; "" for none
		parameters map[string]string
	}{
		{"", nil},
		{"", map[string]string{"DomainName": "pay.example.com", "CertificateArn": certificate}},
		{"DomainName needs CertificateArn", map[string]string{"DomainName": "pay.example.com"}},
		{"CertificateArn needs DomainName", map[string]string{"CertificateArn": certificate}},
		{"DomainName", map[string]string{"DomainName": "https://pay.example.com", "CertificateArn": certificate}},
		{"CertificateArn", map[string]string{"DomainName": "pay.example.com",
			"CertificateArn": strings.Replace(certificate, "us-east-1", "eu-west-1", 1)}},
		{"", map[string]string{"WalletDomainName": "wallet.example.com", "WalletCertificateArn": certificate}},
		{"WalletDomainName needs WalletCertificateArn", map[string]string{"WalletDomainName": "wallet.example.com"}},
		{"WalletCertificateArn needs WalletDomainName", map[string]string{"WalletCertificateArn": certificate}},
		{"another than DomainName", map[string]string{"DomainName": "pay.example.com", "CertificateArn": certificate,
			"WalletDomainName": "pay.example.com", "WalletCertificateArn": certificate}},
		{"WalletDomainName", map[string]string{"WalletDomainName": "wallet", "WalletCertificateArn": certificate}},
		{"", map[string]string{"WebAclArn": "arn:aws:wafv2:us-east-1:123456789012:global/webacl/checkout/1"}},
		{"WebAclArn", map[string]string{"WebAclArn": "arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/checkout/1"}},
		{"OriginDomainName needs", map[string]string{"OriginDomainName": "origin.example.com"}},
		{"OriginClientCertificateArn needs", map[string]string{"OriginClientCertificateArn": certificate}},
		{"", origin("OriginClientCertificateArn", "")},
		{"", origin("ExecuteApi", "closed")},
		{"ExecuteApi can be closed once", map[string]string{"ExecuteApi": "closed"}},
		{"AlarmEmail", map[string]string{"AlarmEmail": "nobody"}},
		{"TicketEmail", map[string]string{"TicketEmail": "nobody"}},
		{"LogRetentionDays", map[string]string{"LogRetentionDays": "401"}},
		{"PaymentRetentionDays", map[string]string{"PaymentRetentionDays": "-1"}},
		{"PaymentRetentionDays", map[string]string{"PaymentRetentionDays": "a year"}},
		{"ListingRetentionDays", map[string]string{"ListingRetentionDays": "0"}},
		{"ConnectorConcurrency", map[string]string{"ConnectorConcurrency": "1"}},
		{"ConnectorPollers should be 0, or 2", map[string]string{"ConnectorPollers": "1"}},
		{"CallbackPollers", map[string]string{"CallbackPollers": "201"}},
		{"WarmReads", map[string]string{"WarmReads": "11999"}},
		{"RestoredSecretsKeyArn", map[string]string{"RestoredSecretsKeyArn": "01234567-89ab-cdef-0123-456789abcdef"}},
		{"OriginCheck", map[string]string{"OriginCheck": "maybe"}},
		{"Operators", map[string]string{"Operators": "yes"}},
		{"", signIn("oidc")}, {"", signIn("cognito")},
		{"AdminLogin", signIn("saml")},
		{"AdminLogin needs Operators", signIn("oidc", "Operators", "false")},
		{"AdminLogin oidc needs", signIn("oidc", "AdminLoginIssuer", "")},
		{"AdminLogin oidc needs", signIn("oidc", "AdminLoginClientId", "")},
		{"AdminLogin oidc needs", signIn("oidc", "AdminLoginSecret", "")},
		{"AdminLogin cognito needs AdminLoginPrefix", signIn("cognito", "AdminLoginPrefix", "")},
		{"AdminLoginIssuer", signIn("oidc", "AdminLoginIssuer", "http://id.example")},
		{"AdminLoginSecret", signIn("oidc", "AdminLoginSecret", "a}}")},
		{"", signIn("oidc", "AdminDomainName", "admin.example.com", "AdminCertificateArn", certificate)},
		{"AdminDomainName needs", signIn("oidc", "AdminDomainName", "admin.example.com")},
		{"AdminCertificateArn needs", signIn("oidc", "AdminCertificateArn", certificate)},
		{"another than DomainName", signIn("oidc", "AdminDomainName", "pay.example.com", "AdminCertificateArn", certificate,
			"DomainName", "pay.example.com", "CertificateArn", certificate)},
		{"AuditDays", map[string]string{"AuditDays": "365"}},
		{"AuditLock", map[string]string{"AuditLock": "none"}},
		{"RestoredStreamArn", map[string]string{"RestoredTableName": "restored", "RestoredStreamArn": "restored"}},
		{"the template has no Domain", map[string]string{"Domain": "pay.example.com"}},
	} {
		_, err := stack(t, c.parameters)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v, want %q", c.parameters, err, c.want)
		}
	}
}

// With a restored table no function uses the stack's own.
func TestARestoredTableTakesThePlaceOfTheStacksOwn(t *testing.T) {
	own := readTemplate(t)
	restored, err := stack(t, map[string]string{"RestoredTableName": "restored"})
	if err != nil {
		t.Fatal(err)
	}
	swap := strings.NewReplacer("checkout-Table", "restored")
	for i, f := range restored.Functions {
		if f.Environment["TABLE"] != "restored" {
			t.Errorf("%s uses the table %s", f.ID, f.Environment["TABLE"])
		}
		for j, s := range f.Policies {
			for k, resource := range s.Resources {
				if want := swap.Replace(own.Functions[i].Policies[j].Resources[k]); resource != want {
					t.Errorf("%s may use %s, not %s", f.ID, resource, want)
				}
			}
		}
	}
}

// A restored table has no stream by itself: the listing follows it when an operator has made one and names it.
func TestTheListingFollowsARestoredTableByTheStreamThatIsNamed(t *testing.T) {
	const arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/restored/stream/2026-11-20T12:00:00.000"
	for given, want := range map[string][]string{"": nil, arn: {arn, arn}} { // two functions read it
		read, err := stack(t, map[string]string{"RestoredTableName": "restored", "RestoredStreamArn": given})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range read.Functions {
			for _, s := range f.Streams {
				got = append(got, s.StreamARN)
			}
			for _, s := range f.Policies {
				if strings.Contains(s.Resources[0], "/stream/") && s.Resources[0] != given {
					t.Errorf("%s may read %s", f.ID, s.Resources[0])
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("with %q, %q is read", given, got)
		}
	}
	if _, err := stack(t, map[string]string{"RestoredStreamArn": arn}); err == nil {
		t.Error("a stream without its table is not refused")
	}
}

// Merchants' secrets in a table of another stack can be decrypted only with that stack's key, and no function starts
// without them.
func TestARestoredTableComesWithTheKeyOfItsSecrets(t *testing.T) {
	const old = "arn:aws:kms:eu-central-1:123456789012:key/mrk-0123456789abcdef0123456789abcdef"
	own := readTemplate(t)
	restored, err := stack(t, map[string]string{"RestoredSecretsKeyArn": old})
	if err != nil {
		t.Fatal(err)
	}
	key := own.Keys[slices.IndexFunc(own.Keys, func(k template.Key) bool { return k.ID == "SecretsKey" })]
	named := 0
	for i, f := range restored.Functions {
		for name, value := range f.Environment {
			if want := own.Functions[i].Environment[name]; want == key.KeyID {
				named++
				if value != old {
					t.Errorf("%s: %s is %s", f.ID, name, value)
				}
			}
		}
		for j, s := range f.Policies {
			for k, resource := range s.Resources {
				if own.Functions[i].Policies[j].Resources[k] == key.ARN && resource != old {
					t.Errorf("%s may use %s, not the old key", f.ID, resource)
				}
			}
		}
	}
	if named == 0 {
		t.Error("no function has the key")
	}
}

// Every function has the alias that a release moves, a release with errors is rolled back, and its log is the stack's.
// The template's reader checks that callers use the alias.
func TestEveryFunctionIsReleasedByItsAlias(t *testing.T) {
	own := readTemplate(t)
	for _, f := range own.Functions {
		if f.Alias != "live" {
			t.Errorf("%s has the alias %q", f.ID, f.Alias)
		}
	}
	var document struct {
		Resources map[string]struct {
			Type       string `yaml:"Type"`
			OnDelete   string `yaml:"DeletionPolicy"`
			Properties struct {
				LogGroupName string `yaml:"LogGroupName"`

				All        bool      `yaml:"AutoPublishAliasAllProperties"`
				Deployment yaml.Node `yaml:"DeploymentPreference"`
				Logging    struct {
					Group string `yaml:"LogGroup"`
				} `yaml:"LoggingConfig"`
			} `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	parse(t, &document)
	for id, r := range document.Resources {
		if r.Type != "AWS::Serverless::Function" {
			continue
		}
		p, name := r.Properties, strings.TrimSuffix(id, "Function")
		if !p.All || !p.Deployment.IsZero() {
			t.Errorf("%s: a new property is a new version: %t; it is released as others are: %t", id, p.All,
				p.Deployment.IsZero())
		}
		log := document.Resources[name+"Log"]
		if p.Logging.Group != name+"Log" || log.Type != "AWS::Logs::LogGroup" {
			t.Errorf("%s: its LoggingConfig has the group %q, not one of its own", id, p.Logging.Group)
		}
	}
	for id, r := range document.Resources {
		if r.Type == "AWS::Logs::LogGroup" && (r.OnDelete != "RetainExceptOnCreate" || r.Properties.LogGroupName != "") {
			t.Errorf("%s goes with the stack, or keeps the next one from its name", id)
		}
	}
}

// Lambda stops the 16th message in a chain of a function that sends to the queue which calls it, unless RecursiveLoop
// allows it.
func TestFunctionsThatSendToTheirOwnQueueMay(t *testing.T) {
	own := readTemplate(t)
	var document struct {
		Resources map[string]struct {
			Properties struct {
				Loop string `yaml:"RecursiveLoop"`
			} `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	parse(t, &document)
	found := 0
	for _, f := range own.Functions {
		want := ""
		if len(f.Queues) > 0 {
			found++
		}
		for _, q := range f.Queues {
			if template.Allows(f.Policies, "sqs:SendMessage", q.QueueARN, nil) {
				want = "Allow"
			}
		}
		if loop := document.Resources[f.ID].Properties.Loop; loop != want {
			t.Errorf("%s: RecursiveLoop is %q, should be %q", f.ID, loop, want)
		}
	}
	if found != 2 {
		t.Errorf("%d functions send to their own queue", found)
	}
}

// Pollers take the place of Lambda's own, which have another limit.
func TestPollers(t *testing.T) {
	for pollers, want := range map[string]int{"0": 100, "20": 200} {
		read, err := stack(t, map[string]string{"ConnectorPollers": pollers})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(read.Functions, func(f template.Function) bool { return f.Name == "connector" })
		if got := read.Functions[i].Queues[0].MaxConcurrency; got != want {
			t.Errorf("%s pollers: %d functions at the same time, want %d", pollers, got, want)
		}
	}
}

// A route without a limit would share one with others. A limit for a route that does not exist, or does not exist yet,
// stops a deployment.
func TestEveryRouteHasItsOwnLimit(t *testing.T) {
	var document struct {
		Parameters map[string]struct {
			Default string `yaml:"Default"`
		} `yaml:"Parameters"`
		Resources map[string]struct {
			Type       string    `yaml:"Type"`
			Depends    yaml.Node `yaml:"DependsOn"`
			Properties struct {
				API           string `yaml:"ApiId"`
				RouteKey      string `yaml:"RouteKey"`
				RouteSettings map[string]struct {
					Rate  string `yaml:"ThrottlingRateLimit"`
					Burst string `yaml:"ThrottlingBurstLimit"`
				} `yaml:"RouteSettings"`
			} `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	parse(t, &document)
	after := map[string][]string{} // routes by the stage that depends on them
	limits := 0
	for _, stage := range []string{"ApiStage", "AdminApiStage", "SignInApiStage"} {
		depends := document.Resources[stage].Depends
		var ids []string
		if err := depends.Decode(&ids); err != nil {
			t.Fatal(err)
		}
		after[stage] = ids
		limits += len(document.Resources[stage].Properties.RouteSettings)
	}
	merchants, others, routes := 0, 0, 0
	number := func(text string) int { // of itself, or of the parameter that it names
		n, err := strconv.Atoi(cmp.Or(document.Parameters[text].Default, text))
		if err != nil {
			t.Error(err)
		}
		return n
	}
	for id, r := range document.Resources {
		if r.Type != "AWS::ApiGatewayV2::Route" {
			continue
		}
		routes++
		key := r.Properties.RouteKey
		stage := r.Properties.API + "Stage"
		limit := document.Resources[stage].Properties.RouteSettings[key]
		rate := number(limit.Rate)
		if rate == 0 || number(limit.Burst) < rate {
			t.Errorf("%s: the RouteSettings of %s have the limits %+v", key, stage, limit)
		}
		if !slices.Contains(after[stage], id) {
			t.Errorf("%s: the DependsOn of %s does not name %s", key, stage, id)
		}
		if strings.HasPrefix(key, "POST /api/v1/") && !strings.Contains(key, "notify") {
			merchants += rate
		} else {
			others += rate
		}
	}
	const account = 10000 // requests a second of an account in a Region
	if limits != routes || others > account/2 {
		t.Errorf("%d limits for %d routes; all but merchants' calls may take %d of %d a second",
			limits, routes, others, account)
	}
}

// Some names of CloudFront and CloudWatch are unique in all Regions together.
func TestNamesOfTheWholeAccountHaveTheRegion(t *testing.T) {
	for file, least := range map[string]int{"template.yaml": 5, "infra/alarms.yaml": 1} {
		text := parseFile(t, file, &yaml.Node{})
		name := regexp.MustCompile(`(?m)^.*\b(?:DashboardName|Name): !Sub '?(\$\{(?:AWS::StackName|Stack)\}[^', #]*)`)
		found := name.FindAllStringSubmatch(text, -1)
		if len(found) < least {
			t.Errorf("only %d names in %s", len(found), file)
		}
		for _, name := range found {
			if _, after, _ := strings.Cut(name[1], "}"); !strings.HasPrefix(after, "-${AWS::Region}") {
				t.Errorf("%s has no region", name[1])
			}
		}
	}
}

// What is in a distribution's bucket is on its origin. So each has one of its own, that it alone may read.
func TestEachDistributionHasABucketOfItsOwn(t *testing.T) {
	var document struct {
		Resources map[string]struct {
			Type       string    `yaml:"Type"`
			Properties yaml.Node `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	parse(t, &document)
	readers := map[string][]string{} // distributions by their bucket
	for id, r := range document.Resources {
		if r.Type != "AWS::CloudFront::Distribution" {
			continue
		}
		var p struct {
			Config struct {
				Origins []struct {
					Domain yaml.Node `yaml:"DomainName"`
				} `yaml:"Origins"`
			} `yaml:"DistributionConfig"`
		}
		if err := r.Properties.Decode(&p); err != nil {
			t.Fatal(err)
		}
		for _, origin := range p.Config.Origins {
			if bucket, ok := strings.CutSuffix(origin.Domain.Value, ".RegionalDomainName"); ok {
				readers[bucket] = append(readers[bucket], id)
			}
		}
	}
	allowed := map[string][]string{} // distributions by the bucket whose policy allows them
	source := regexp.MustCompile(`distribution/\$\{(\w+)\}$`)
	for _, r := range document.Resources {
		if r.Type != "AWS::S3::BucketPolicy" {
			continue
		}
		var p struct {
			Bucket   string `yaml:"Bucket"`
			Document struct {
				Statement []struct {
					Effect    string                       `yaml:"Effect"`
					Action    texts                        `yaml:"Action"`
					Condition map[string]map[string]string `yaml:"Condition"`
				} `yaml:"Statement"`
			} `yaml:"PolicyDocument"`
		}
		if err := r.Properties.Decode(&p); err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Document.Statement {
			if found := source.FindStringSubmatch(s.Condition["StringEquals"]["AWS:SourceArn"]); found != nil {
				allowed[p.Bucket] = append(allowed[p.Bucket], found[1])
			} else if s.Effect != "Deny" && (p.Bucket != "LogBucket" || !slices.Equal(s.Action, texts{"s3:PutObject"})) {
				t.Errorf("%s may be used by others than a distribution", p.Bucket)
			}
		}
	}
	want := map[string][]string{
		"Bucket": {template.PageSite}, "WalletBucket": {template.WalletSite}, "AdminBucket": {template.AdminSite}}
	if !reflect.DeepEqual(readers, want) || !reflect.DeepEqual(allowed, want) {
		t.Errorf("buckets are served by %v and may be read by %v, want %v", readers, allowed, want)
	}
}

// The dashboard is JSON in a text, which CloudFormation reads only when it deploys it. A search with a word in quotes
// finds only whole values, and the template does not know whole names of functions.
func TestTheDashboardShowsEveryFunction(t *testing.T) {
	var document struct {
		Resources map[string]struct {
			Properties struct {
				Body string `yaml:"DashboardBody"`
			} `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	parseFile(t, "infra/alarms.yaml", &document)
	text := document.Resources["Dashboard"].Properties.Body
	var body struct {
		Widgets []struct {
			Properties struct {
				Region  string  `json:"region"`
				Metrics [][]any `json:"metrics"`
			} `json:"properties"`
		} `json:"widgets"`
	}
	if err := json.Unmarshal([]byte(text), &body); err != nil || len(body.Widgets) == 0 {
		t.Fatalf("%v: %d widgets", err, len(body.Widgets))
	}
	shown := map[string][]string{} // functions by the metric of AWS/Lambda
	for _, w := range body.Widgets {
		if w.Properties.Region == "" || len(w.Properties.Metrics) == 0 {
			t.Errorf("a widget without region or metrics: %+v", w)
			continue
		}
		first := w.Properties.Metrics[0]
		if first[0] != "AWS/Lambda" {
			continue
		}
		metric := first[1].(string)
		shown[metric] = append(shown[metric], first[3].(string))
		for _, row := range w.Properties.Metrics[1:] {
			if len(row) != 2 || row[0] != "..." { // all as before, and another value of the last dimension
				t.Fatalf("%v of AWS/Lambda", row)
			}
			shown[metric] = append(shown[metric], row[1].(string))
		}
	}
	for _, f := range readTemplate(t).Functions {
		for _, metric := range []string{"Errors", "Throttles"} {
			if !slices.Contains(shown[metric], "${"+f.ID+"}") {
				t.Errorf("the dashboard does not show %s of %s", metric, f.ID)
			}
		}
	}
	if strings.Contains(text, `FunctionName=\"${Stack}`) {
		t.Error("a search for the stack's name in quotes finds no function")
	}
}
