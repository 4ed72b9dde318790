package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// use reads a stack's outputs once, in the stack's Region. Variables and flags still stand above them.
func TestUse(t *testing.T) {
	admin := newAPI(t)
	admin.has["GET /me"] = `{"who":"ann"}`
	stacks := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil ||
			!strings.Contains(r.Header.Get("Authorization"), "/eu-west-1/cloudformation/") {
			t.Errorf("%v, signed by %s", err, r.Header.Get("Authorization"))
		}
		if r.Form.Get("Action") != "DescribeStacks" || r.Form.Get("StackName") != "shop" {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type>
				<Code>ValidationError</Code><Message>Stack with id other does not exist</Message></Error></ErrorResponse>`)
			return
		}
		member := func(list, kind string, pairs ...string) (text string) {
			for i := 0; i < len(pairs); i += 2 {
				text += fmt.Sprintf("<member><%sKey>%s</%sKey><%sValue>%s</%sValue></member>", kind, pairs[i], kind, kind,
					pairs[i+1], kind)
			}
			return "<" + list + ">" + text + "</" + list + ">"
		}
		fmt.Fprint(w, `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/">
			<DescribeStacksResult><Stacks><member>`+
			member("Outputs", "Output", "AdminUrl", admin.url, "TableName", "shop-Table", "BucketName", "b")+
			member("Parameters", "Parameter", "ListingRetentionDays", "30", "AlarmEmail", "ann@pens.example")+
			`</member></Stacks></DescribeStacksResult></DescribeStacksResponse>`)
	}))
	defer stacks.Close()
	t.Setenv("AWS_REGION", "eu-central-1")
	file := filepath.Join(t.TempDir(), "checkout", "config.json")
	env := map[string]string{"AWS_ENDPOINT_URL_CLOUDFORMATION": stacks.URL, "AWS_REGION": "eu-central-1"}
	type in struct {
		line   string
		env    map[string]string
		config string
	}
	do := func(i in) (string, int) {
		t.Helper()
		var out bytes.Buffer
		c := &call{getenv: func(name string) string { return i.env[name] }, config: i.config, in: strings.NewReader("n\n"),
			out: &out, notes: &out, asks: true}
		code := c.report(run(t.Context(), c, words(i.line)))
		return out.String(), code
	}
	if out, code := do(in{"use", env, file}); code != exitFailed || !strings.Contains(out, "no stack is used") {
		t.Errorf("%d %s", code, out)
	}
	if out, code := do(in{"use other --region eu-west-1", env, file}); code != exitFailed ||
		!strings.Contains(out, "ValidationError Stack with id other does not exist") {
		t.Errorf("%d %s", code, out)
	}
	if out, code := do(in{"use shop --region eu-west-1", env, file}); code != exitDone ||
		out != "shop in eu-west-1 is used from now on\n" {
		t.Fatalf("%d %s", code, out)
	}
	text, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(text), "ann@") || strings.Contains(string(text), `"b"`) ||
		!strings.Contains(string(text), `"LISTING_RETENTION_DAYS": "30"`) {
		t.Errorf("%s %v", text, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	t.Setenv("AWS_REGION", "")
	bare := map[string]string{}
	if out, code := do(in{"use", bare, file}); code != exitDone || out != "shop in eu-west-1\n" {
		t.Errorf("%d %s", code, out)
	}
	const disable = "merchants disable --reason x pens"
	if out, _ := do(in{disable, bare, file}); !strings.Contains(out, "pens on the stack shop? [y/N]") {
		t.Errorf("a change of the stack: %s", out)
	}
	if out, _ := do(in{disable + " --table other", bare, file}); strings.Contains(out, "on the stack") {
		t.Errorf("a change of another table: %s", out)
	}
	admin.region = "eu-west-1"
	for _, env := range []map[string]string{{"CHECKOUT_URL": "https://127.0.0.1:1"}, bare} {
		_, code := do(in{"me", env, file})
		if (code == exitDone) != (len(env) == 0) {
			t.Errorf("%v: %d", env, code)
		}
	}
}

// use also takes the file that a local run writes. That run has an AWS of its own, whatever the shell has, unless
// something else is named.
func TestUseALocalRun(t *testing.T) {
	admin := newAPI(t)
	admin.has["GET /me"] = `{"who":"ann"}`
	folder := t.TempDir()
	file, config := filepath.Join(folder, "run.json"), filepath.Join(folder, "checkout", "config.json")
	text := fmt.Sprintf(`{"stack":"run-aws","region":"eu-west-1",
		"settings":{"CHECKOUT_URL":%q,"AWS_ACCESS_KEY_ID":"ANN"}}`, admin.url)
	other := filepath.Join(folder, "env.json")
	for name, content := range map[string]string{file: text, other: `{"CallbackFunction":{}}`} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "shell")
	t.Setenv("AWS_REGION", "eu-west-1")
	admin.region = "eu-west-1"
	for _, step := range []struct{ line, url, want, key string }{
		{"use " + filepath.Join(folder, "none.json"), "", "no such file", "shell"},
		{"use " + other, "", "env.json is not the file of a local run", "shell"},
		{"use " + file, "", "run-aws in eu-west-1 is used from now on\n", "shell"},
		{"me", "https://127.0.0.1:1", "127.0.0.1:1", "shell"},
		{"me", "", `{"who":"ann"}`, "ANN"},
	} {
		var out bytes.Buffer
		c := &call{getenv: func(name string) string { return map[string]string{"CHECKOUT_URL": step.url}[name] },
			config: config, in: strings.NewReader(""), out: &out, notes: &out}
		c.report(run(t.Context(), c, words(step.line)))
		if key := os.Getenv("AWS_ACCESS_KEY_ID"); !strings.Contains(out.String(), step.want) || key != step.key {
			t.Errorf("%s: %s, with the key %s", step.line, &out, key)
		}
	}
}
