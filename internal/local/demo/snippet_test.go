package demo_test

import (
	"context"
	"encoding/json"
	"errors"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"checkout/internal/local"
)

// start runs the whole service on a free port until the test ends, with a page and a frame of one line.
func start(t *testing.T) *local.Server {
	t.Helper()
	page := t.TempDir()
	if err := os.WriteFile(filepath.Join(page, "index.html"), []byte("<!doctype html>"), 0o600); err != nil {
		t.Fatal(err)
	}
	server, err := local.Start(t.Context(), local.Config{Root: "../../..", Page: page, Wallet: page, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	return server
}

// request sends a request without following redirects, and returns the response with its body.
func request(t *testing.T, method, address string, form url.Values) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// programs are the interpreters of the playground's programs, by id, with the name of a file that they run.
var programs = map[string]struct {
	name string
	file string
	run  []string
}{
	"curl":       {"bash", "session.sh", []string{"bash", "-eu"}},
	"php":        {"php", "session.php", []string{"php"}},
	"python":     {"python3", "session.py", []string{"python3"}},
	"javascript": {"node", "session.mjs", []string{"node"}},
	"go":         {"go", "session.go", []string{"go", "run"}},
}

// awkward is a request with whatever a language may need to escape, all kinds of values and no placeholder but those.
const awkward = `{
  "merchant_key": "{key}", "operation": "purchase", "success_url": "https://shop.example/it's?order={order}&a={order}",
  "order": {"number": "{order}", "amount": 10.50, "currency": "USD",
    "description": "It's \"10 $HOME\" \\ ${x} %s \u2028 Größe 咖啡 ` + "`" + `"},
  "customer": {}, "methods": ["card"], "auth": false, "req_token": true, "form_id": null, "session_expiry": 30,
  "custom_data": {"q'\"$1": "{order} {", "list": []}, "hash": "{hash}"
}`

// TestPrograms runs the playground's programs of two requests against the service.
func TestPrograms(t *testing.T) {
	server := start(t)
	_, page := request(t, http.MethodGet, server.URL+"/demo/playground", nil)
	suggested := regexp.MustCompile(`(?s)<textarea[^>]*>(.*?)</textarea>`).FindStringSubmatch(page)
	if suggested == nil {
		t.Fatal("the playground has no request")
	}
	for kind, text := range map[string]string{"suggested": html.UnescapeString(suggested[1]), "awkward": awkward} {
		_, page := request(t, http.MethodPost, server.URL+"/demo/playground", url.Values{"request": {text}})
		code := regexp.MustCompile(`(?s)<pre id="code-(\w+)"[^>]*>(.*?)</pre>`).FindAllStringSubmatch(page, -1)
		if len(code) != len(programs) {
			t.Fatalf("%s: %d programs in\n%s", kind, len(code), page)
		}
		for _, found := range code {
			t.Run(found[1]+" "+kind, func(t *testing.T) {
				t.Parallel()
				runProgram(t, server, found[1], html.UnescapeString(found[2]))
			})
		}
	}
}

func runProgram(t *testing.T, server *local.Server, id, text string) {
	with := programs[id]
	if _, err := exec.LookPath(with.name); err != nil {
		t.Skipf("%s is not on this machine, so that its program is not run", with.name)
	}
	file := filepath.Join(t.TempDir(), with.file)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	run := func(variables ...string) *exec.Cmd {
		command := exec.CommandContext(ctx, with.run[0], append(with.run[1:], file)...)
		command.Env = append(append(os.Environ(), "no_proxy=localhost", "NO_PROXY=localhost"), variables...)
		return command
	}
	key, password := "CHECKOUT_KEY="+server.Demo.TestKey, "CHECKOUT_PASSWORD="+server.Demo.Password
	for missing, set := range map[string]string{"CHECKOUT_KEY": password, "CHECKOUT_PASSWORD": key} {
		out, _ := run(set, missing+"=").CombinedOutput()
		if said := missing + `\b.* is not set`; !regexp.MustCompile(said).Match(out) {
			t.Errorf("without %s: %s", missing, out)
		}
	}
	out, err := run(key, password).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		t.Fatalf("%v: %s\n%s\n%s", err, failed.Stderr, out, text)
	}
	var created struct {
		RedirectURL string `json:"redirect_url"`
	}
	if err != nil || json.Unmarshal(out, &created) != nil ||
		!strings.HasPrefix(created.RedirectURL, server.URL+"/?session=") {
		t.Fatalf("%v: %s\n%s", err, out, text)
	}
}
