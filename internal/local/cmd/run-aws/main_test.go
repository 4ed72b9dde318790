package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	shop "checkout/internal/local/client"
	"checkout/internal/local/cloud"
	"checkout/internal/page/screen"
)

const repository = "../../../.."

// inks is the file of a merchant, from the repository.
const inks = "internal/local/cmd/checkout/testdata/ink_shop.json"

// program builds the command.
func program(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run-aws")
	if out, err := exec.Command("go", "build", "-o", file, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return file
}

// It needs the built page (`make page`), the functions (`make lambda`) and the engines (`make tools`).
func TestRunsUntilInterrupted(t *testing.T) {
	environment := filepath.Join(t.TempDir(), "env.json")
	command := exec.Command(program(t), "-root", repository, "-port", "0", "-environment", environment)
	command.Env = os.Environ()
	if os.Getenv("CHECKOUT_TOOLS") == "" {
		command.Env = append(command.Env, "CHECKOUT_TOOLS="+filepath.Join(repository, ".tools"))
	}
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer command.Process.Kill() // fails if the process has ended, as it should
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	base, ready := strings.CutPrefix(strings.TrimSpace(first), "ready on ")
	if !ready {
		command.Wait()
		t.Fatalf("%q %v %s", first, err, &stderr)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	window, err := client.Get(base + "/demo")
	if err != nil || window.StatusCode != http.StatusOK {
		t.Fatalf("demo shop: %v %v", window, err)
	}
	window.Body.Close()
	bought, err := client.PostForm(base+"/demo/buy",
		url.Values{"product": {"coffee"}, "amount": {"18.50"}, "currency": {"EUR"}})
	if err != nil {
		t.Fatal(err)
	}
	bought.Body.Close()
	if to := bought.Header.Get("Location"); !strings.HasPrefix(to, base+"/?session=") {
		t.Errorf("having bought, the buyer is sent to %q (%d)", to, bought.StatusCode)
	}
	slashes, err := client.Post(base+"//api/v1/session/", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	refused, _ := io.ReadAll(slashes.Body)
	slashes.Body.Close()
	if slashes.StatusCode != http.StatusBadRequest || !strings.Contains(string(refused), `"status":"error"`) {
		t.Errorf("a path with doubled slashes: %d %s", slashes.StatusCode, refused)
	}
	runSampleEvents(t, environment)
	welcome := runOperatorLine(t, lines)
	by := shop.Merchant{Key: "inks-live", Password: "Pass-w0rd-of-inks"}
	ended, err := shop.Service{URL: base, HTTP: http.DefaultClient}.Buy(t.Context(), by, "ink-1", "01/38")
	if err != nil || ended.Kind != screen.KindGo || !strings.HasPrefix(ended.Go.URL, "https://shop.example/paid") {
		t.Errorf("a payment of the merchant that was added ends on %s: %v", shop.Words(ended), err)
	}
	children := childrenOf(t, command.Process.Pid)
	if len(children) == 0 {
		t.Error("no function and no engine is running")
	}
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	if err := command.Wait(); err != nil {
		t.Errorf("interrupted: %v", err)
	}
	if took := time.Since(begun); took > 5*time.Minute {
		t.Errorf("it took %s to end", took)
	}
	if !strings.Contains(welcome, "test key    demo-test") || !strings.Contains(welcome, "curl -sS '"+base) {
		t.Errorf("the welcome: %s", welcome)
	}
	for _, child := range children {
		if syscall.Kill(child, 0) == nil {
			t.Errorf("process %d lives on", child)
		}
	}
}

// runOperatorLine reads the welcome, which ends with a line that has the operator's command use this run, and runs that
// line and commands as a shell does, with credentials of another AWS. It also stores something, for which a key is
// needed, and adds a merchant whose MID leads to the simulator.
func runOperatorLine(t *testing.T, from *bufio.Reader) (welcome string) {
	t.Helper()
	line := ""
	for !strings.HasPrefix(line, "bin/checkout use ") {
		next, err := from.ReadString('\n')
		if err != nil {
			t.Fatalf("no line for the operator's command: %v in %s", err, welcome)
		}
		line, welcome = next, welcome+next
	}
	if out, err := exec.Command("make", "-C", repository, "checkout").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	today := time.Now().UTC().Format(time.DateOnly)
	config := "CHECKOUT_CONFIG=" + filepath.Join(t.TempDir(), "config.json") + " "
	if out, err := runs(config + line); err != nil || out != "run-aws in "+cloud.Region+" is used from now on\n" {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	with := func(command string) string { return config + "bin/checkout " + command }
	for line, want := range map[string]string{
		with("merchants list"):                         `"test_key":"demo-test"`,
		with("me"):                                     `"role":"admin"`,
		with("audit verify --from " + today):           "entries, none was altered\n",
		with("index check"):                            "all is listed as ",
		with("merchants list --direct"):                `"test_key":"demo-test"`,
		with("merchants put --yes --reason x " + inks): `"text":"is new"`,
		with("merchants rotate --yes --reason x --overlap 1h demo password"): `"password":"`,
	} {
		out, err := runs(line)
		follows := time.Now().Add(time.Minute) // by then the orders are listed
		for err != nil && strings.Contains(line, "index check") && time.Now().Before(follows) {
			out, err = runs(line)
		}
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
	return welcome
}

// runs runs a line as a shell does that has the credentials of another AWS.
func runs(line string) (string, error) {
	command := exec.Command("sh", "-c", line)
	command.Dir = repository
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "AWS_") {
			command.Env = append(command.Env, variable)
		}
	}
	command.Env = append(command.Env, "AWS_ACCESS_KEY_ID=other", "AWS_SECRET_ACCESS_KEY=other", "AWS_SESSION_TOKEN=other")
	out, err := command.CombinedOutput()
	return string(out), err
}

// childrenOf returns the processes that a process has started, from ps or /proc.
func childrenOf(t *testing.T, parent int) []int {
	t.Helper()
	var table []string // process and parent, one after the other
	if output, err := exec.Command("ps", "-A", "-o", "pid=", "-o", "ppid=").Output(); err == nil {
		table = strings.Fields(string(output))
	} else if table = fromProc(t); len(table) == 0 {
		t.Fatalf("neither ps nor /proc lists the processes: %v", err)
	}
	var children []int
	for i := 0; i+1 < len(table); i += 2 {
		if table[i+1] != strconv.Itoa(parent) {
			continue
		}
		child, err := strconv.Atoi(table[i])
		if err != nil {
			t.Fatal(err)
		}
		children = append(children, child)
	}
	return children
}

// fromProc returns what ps would print, from Linux's /proc.
func fromProc(t *testing.T) (table []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// pid (name) state ppid ..., where a name may contain any character
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		table = append(table, filepath.Base(filepath.Dir(file)), fields[1])
	}
	return table
}

func TestWhatIsMissingIsOneLine(t *testing.T) {
	file := program(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	bare, frameless := t.TempDir(), t.TempDir()
	for copied, original := range map[string]string{
		bare + "/template.yaml": "template.yaml", bare + "/infra/page/dist/index.html": "README.md",
		bare + "/infra/page/dist-wallet/index.html": "README.md", frameless + "/infra/page/dist/index.html": "README.md",
	} {
		text, err := os.ReadFile(filepath.Join(repository, original))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(copied), 0o700)
		}
		if err == nil {
			err = os.WriteFile(copied, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	binaries := filepath.Join(repository, "bin")
	for name, k := range map[string]struct {
		root, variable, want string
	}{
		"page":     {root: t.TempDir(), want: "run `make page`"},
		"frame":    {root: frameless, want: "the frame of Google Pay is not built"},
		"binaries": {root: bare, want: "run `make lambda`"},
		"port":     {root: repository, variable: "PORT=" + port, want: "port " + port + " is taken"},
		"endpoint": {root: repository, variable: "ENDPOINT_HOST=192.0.2.1", want: "192.0.2.1"}, // of nobody (RFC 5737)
		"wallet":   {root: repository, variable: "WALLET_PORT=" + port, want: "set WALLET_PORT to"},
		"number":   {root: repository, variable: "PORT=many", want: "not a number"},
		"engines":  {root: repository, variable: "CHECKOUT_TOOLS=" + bare, want: "run `make tools`"},
		"java":     {root: repository, variable: "PATH=" + bare, want: "java is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(binaries); err != nil && k.root == repository {
				t.Fatal("the functions are not built: run `make lambda`")
			}
			command := exec.Command(file, "-root", k.root)
			command.Env = append(os.Environ(), "PORT=0", "DYNAMODB_ENDPOINT=", "SQS_ENDPOINT=", k.variable)
			var out, stderr bytes.Buffer
			command.Stdout, command.Stderr = &out, &stderr
			err := command.Run()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Errorf("ended with %v", err)
			}
			if out.Len() > 0 || !strings.Contains(stderr.String(), k.want) || strings.Count(stderr.String(), "\n") != 1 {
				t.Errorf("printed %q and %q, want one line with %q", &out, &stderr, k.want)
			}
		})
	}
}
