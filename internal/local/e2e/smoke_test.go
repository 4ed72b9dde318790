package e2e

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/gateway"
	"checkout/internal/local/cloud/template"
	"checkout/internal/local/smoke"
)

// cloudLogs are the logs of a local cloud.
type cloudLogs struct{ cloud *cloud.Cloud }

func (l cloudLogs) Read(context.Context, time.Time) (map[string][]string, error) {
	lines := map[string][]string{}
	for function, text := range l.cloud.AllLogs() {
		if text != "" {
			lines[function] = strings.Split(text, "\n")
		}
	}
	return lines, nil
}

// smokeCloud starts a cloud of its own, and what API Gateway is past CloudFront.
func smokeCloud(t *testing.T, changes ...func(*cloud.Config)) (c *cloud.Cloud, api string) {
	t.Helper()
	config := cloud.Config{
		Root: root, StackName: fmt.Sprintf("e2e%d", clouds.Add(1)), NoSchedule: true, Slower: 10, Engines: engines,
		Environment: map[string]string{"ALLOW_LOOPBACK_CALLBACKS": "true"},
	}
	for _, change := range changes {
		change(&config)
	}
	c, err := cloud.Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	if err := c.Fire(t.Context(), "sweep"); err != nil { // it makes the keys of the day
		t.Fatal(err)
	}
	server := httptest.NewServer(gateway.New(gateway.Config{
		Routes: c.Template().APIs[template.PublicAPI].Routes, Invoke: c.Invoke, Now: time.Now,
	}))
	t.Cleanup(server.Close)
	return c, server.URL
}

// smokeTest runs the smoke test on a cloud of its own.
func smokeTest(t *testing.T, patience time.Duration, changes ...func(*cloud.Config)) (works bool, printed string) {
	t.Helper()
	c, api := smokeCloud(t, changes...)
	var out bytes.Buffer
	err := smoke.Run(t.Context(), smoke.Stack{
		URL: c.BaseURL(), WalletURL: c.WalletURL(), API: api, Env: c.AdminEnv("Table", "SecretsKey"),
		Logs: cloudLogs{c}, Patience: patience,
	}, &out)
	if openSession.MatchString(out.String()) {
		t.Errorf("the id of a session or a secret is printed:\n%s", &out)
	}
	return err == nil, out.String()
}

// openSession finds what opens a session, and other secrets.
var openSession = regexp.MustCompile(`session=|/page/v1/[^{]|whsec_`)

// A stack as template.yaml describes it works, and its merchant can't be used any more.
func TestSmoke(t *testing.T) {
	t.Parallel()
	works, printed := smokeTest(t, 5*time.Minute)
	if !works || strings.Count(printed, "  ok    ") != 13 || strings.Count(printed, "\n") != 14 {
		t.Errorf("%v\n%s", works, printed)
	}
}

// fakeCLI is an AWS CLI that knows one stack, of which the log of the page has a fault.
const fakeCLI = `#!/bin/sh
case "$AWS_REGION $*" in
"here cloudformation describe-stacks --stack-name checkout --output json") echo '{"Stacks": [{"Outputs": [
	{"OutputKey": "BaseUrl", "OutputValue": "%s"}, {"OutputKey": "WalletUrl", "OutputValue": "%s"},
	{"OutputKey": "TableName", "OutputValue": "%s"}, {"OutputKey": "SecretsKeyId", "OutputValue": "%s"}]}]}';;
"here cloudformation list-stack-resources --stack-name checkout "*) echo '{"StackResourceSummaries": [%s
	{"LogicalResourceId": "Api", "PhysicalResourceId": "api-1"}]}';;
"here apigatewayv2 get-api --api-id api-1 "*) echo '{"ApiEndpoint": "%s"}';;
*"--log-group-name checkout-PageLog-1 --start-time 1"*"--filter-pattern"*AccessDenied*) echo '{"events": [{"message":
	"AccessDenied: User is not authorized to perform: dynamodb:GetItem on resource: arn:x because"}]}';;
*"--filter-pattern"*) echo '{"events": []}';;
"here logs filter-log-events"*"--max-items 1"*) echo '{"events": [{"message": "a line"}]}';;
*) echo "no such stack" >&2; exit 254;;
esac
`

// functionsAndLogs are those of template.yaml as the AWS CLI lists them.
func functionsAndLogs(t *testing.T) (list string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "template.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range functionOrLog.FindAllStringSubmatch(string(text), -1) {
		list += fmt.Sprintf("{\"LogicalResourceId\": \"%s\", \"PhysicalResourceId\": \"checkout-%s-1\"},", found[1], found[1])
	}
	return list
}

var functionOrLog = regexp.MustCompile(`(?m)^  (\w+(?:Function|Log)):`)

// The command finds all that it needs by the name of a stack, disables its merchant, and ends with 1 for a fault.
// Callbacks go to the address that it is given.
func TestSmokeCommand(t *testing.T) {
	t.Parallel()
	c, api := smokeCloud(t)
	folder := t.TempDir()
	var callbacks atomic.Int64
	shop := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { callbacks.Add(1) }))
	t.Cleanup(shop.Close)
	env := c.AdminEnv("Table", "SecretsKey")
	script := fmt.Sprintf(fakeCLI, c.BaseURL(), c.WalletURL(), env("TABLE"), env("SECRETS_KEY_ID"),
		functionsAndLogs(t), api)
	if err := os.WriteFile(filepath.Join(folder, "aws"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", folder, "./internal/local/cmd/checkout")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	test := func(stack string) (int, string) {
		command := exec.CommandContext(t.Context(), filepath.Join(folder, "checkout"), "smoke", stack, "--region", "here",
			"--callback-url", shop.URL)
		command.Env = []string{"PATH=" + folder}
		for _, name := range []string{"AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_KMS", "AWS_ENDPOINT_URL_STS",
			"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
			command.Env = append(command.Env, name+"="+env(name))
		}
		out, _ := command.CombinedOutput()
		return command.ProcessState.ExitCode(), string(out)
	}
	if code, out := test("other"); code != 1 || out != "checkout: aws cloudformation describe-stacks: no such stack\n" {
		t.Errorf("%d %s", code, out)
	}
	const lacks = "logs       FAIL  page: AccessDenied: it lacks dynamodb:GetItem arn:x\n"
	code, out := test("checkout")
	if code != 1 || strings.Count(out, "  ok    ") != 12 || !strings.Contains(out, lacks) {
		t.Errorf("%d\n%s", code, out)
	}
	if callbacks.Load() < 6 || !strings.Contains(out, "delivered to the address that was given") {
		t.Errorf("%d callbacks\n%s", callbacks.Load(), out)
	}
	merchants, err := app.OpenMerchants(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := merchants.Read(t.Context(), "smoke"); err != nil || !m.Settings.Disabled {
		t.Errorf("the merchant is not disabled: %v", err)
	}
	const other = `[{"id": "smoke", "live_key": "of-somebody-else"}]`
	if _, err := app.LoadMerchants(t.Context(), merchants, []byte(other), ""); err != nil {
		t.Fatal(err)
	}
	code, out = test("checkout")
	if code != 1 || !strings.HasPrefix(out, "merchant   FAIL  there is a merchant smoke that is none of this test\n") {
		t.Errorf("%d\n%s", code, out)
	}
}

// The test fails for each of these faults, and names it. Faults of steps that have nothing to do with each other are in
// one stack.
func TestSmokeFindsFaults(t *testing.T) {
	template := func(edits ...edit) func(*testing.T) []func(*cloud.Config) {
		return func(t *testing.T) []func(*cloud.Config) { return []func(*cloud.Config){withEdits(t, edits...)} }
	}
	const long, short = 5 * time.Minute, 5 * time.Second // short where a run waits in vain
	for name, k := range map[string]struct {
		patience time.Duration
		change   func(*testing.T) []func(*cloud.Config)
		want     []string
	}{
		"doubled slashes, and a permission of the page is missing": {short,
			template(edit{"Distribution", "FunctionARN: !GetAtt PlainPath.", "FunctionARN: !GetAtt LanguagePage."},
				edit{"PageFunction", "- *seal", "- *publicKey"}),
			[]string{"page       FAIL  POST http://localhost:", "//api/v1/session/: 404 and not one of [400]",
				"pay        FAIL  POST /page/v1/{session}/pay: 500", "page: AccessDenied: it lacks dynamodb:PutItem arn:"}},
		"the page without texts, and it may not send jobs": {short,
			template(edit{"Distribution", "FunctionARN: !GetAtt LanguagePage.", "FunctionARN: !GetAtt PlainPath."},
				edit{"PageFunction", "- *send", "- *seal"}),
			[]string{"page       FAIL  GET /: the page does not come with the texts", "pay        FAIL",
				"without an outcome", "page: AccessDenied: it lacks sqs:SendMessage arn:"}},
		"partitions are too narrow": {long,
			template(edit{"StatusFunction", "datakey/password, 'order/*'", "datakey/password"}),
			[]string{"status: AccessDenied: it lacks dynamodb:", "pay        FAIL  POST /api/v1/payment/status: 500"}},
		"a key has another context": {long,
			template(edit{"SessionFunction", "'kms:EncryptionContext:use': password",
				"'kms:EncryptionContext:use': passwords"}),
			[]string{"session    FAIL  POST /api/v1/session: 500", "pay        -     not tried without session",
				"session: AccessDenied: it lacks kms:Decrypt arn:"}},
		"no jobs reach the connector": {short,
			template(edit{"ConnectorTestSource", "GetAtt TestJobs.Arn", "GetAtt Jobs.Arn"}),
			[]string{"pay        FAIL", "look at the log of page and connector", "still without a line of connector"}},
		"the API lacks headers, and no callbacks are sent": {short,
			template(edit{"ApiHeaders", "AccessControlMaxAgeSec: 31536000", "AccessControlMaxAgeSec: 60"},
				edit{"CallbackTestSource", "TestCallbacks.Arn", "Callbacks.Arn"}),
			[]string{`page       FAIL  GET /page/v1/{session}: Strict-Transport-Security is "max-age=60"`, "pay        ok",
				"callbacks  FAIL", "is not delivered, not tried", "without a line of callback"}},
		"any script may run, the API is open, the frame is no frame, and a function panics": {long,
			func(t *testing.T) []func(*cloud.Config) {
				folder := t.TempDir()
				if err := os.WriteFile(filepath.Join(folder, "index.html"), []byte("<p>an old one"), 0o600); err != nil {
					t.Fatal(err)
				}
				open := func(c *cloud.Config) {
					c.Parameters, c.WalletDir = map[string]string{"OriginCheck": "off"}, folder
				}
				scripts := edit{"PageHeaders", "script-src 'self'", "script-src 'self' 'unsafe-inline'"}
				return []func(*cloud.Config){withEdits(t, scripts), open, crashing(t, "capture")}
			},
			[]string{"page       FAIL  GET /: script-src", "direct     FAIL", "400 and not one of [403 404]",
				"wallet     FAIL", "does not name", "pay        ok", "capture    FAIL",
				"refund     -     not tried without capture", "capture: panic: planted"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			works, printed := smokeTest(t, k.patience, k.change(t)...)
			if works {
				t.Error("it works")
			}
			for _, want := range k.want {
				if !strings.Contains(printed, want) {
					t.Errorf("no %q", want)
				}
			}
			if t.Failed() {
				t.Log("\n" + printed)
			}
		})
	}
}

// crashing replaces the binary of a function by one that panics.
func crashing(t *testing.T, function string) func(*cloud.Config) {
	t.Helper()
	folder := t.TempDir()
	built := filepath.Join(root, "bin", "lambda")
	entries, err := os.ReadDir(built)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if err := os.Symlink(filepath.Join(built, entry.Name()), filepath.Join(folder, entry.Name())); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(folder, function, "bootstrap")
	if err := os.Remove(filepath.Dir(binary)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Dir(binary), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(binary, []byte("#!/bin/sh\necho 'panic: planted' >&2\nexit 2\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return func(c *cloud.Config) { c.BinaryDir = folder }
}
