package contract

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var every = flag.Bool("every", false, "what takes minutes, too: see `make contract`, which this needs")

// TestClients has generators make clients of the document, checks the types of these and of the programs of
// infra/clients that use them, and has the programs create a session and read its payment.
func TestClients(t *testing.T) {
	if !*every {
		t.Skip("make contract generates clients")
	}
	installed := filepath.Join(tools(t), "clients")
	bin := filepath.Join(installed, "venv", "bin")
	node := func(name string) string { return filepath.Join(installed, "node_modules", ".bin", name) }
	document, err := filepath.Abs(filepath.Join(root, "infra", "openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []struct {
		name    string
		steps   [][]string
		program []string
	}{
		{"go", [][]string{
			{filepath.Join(installed, "bin", "oapi-codegen"), "-generate", "types,client", "-package", "checkout",
				"-o", filepath.Join("checkout", "checkout.go"), document},
			{"go", "vet", "./..."},
		}, []string{"go", "run", "."}},
		{"python", [][]string{
			{filepath.Join(bin, "openapi-python-client"), "generate", "--path", document, "--output-path", "checkout",
				"--overwrite", "--meta", "none", "--fail-on-warning"},
			{filepath.Join(bin, "mypy"), "checkout", "main.py"},
		}, []string{filepath.Join(bin, "python"), "main.py"}},
		{"typescript", [][]string{
			{node("openapi-typescript"), document, "-o", filepath.Join("checkout", "index.d.ts")},
			{node("tsc"), "--noEmit", "--strict", "--module", "nodenext", "main.ts"},
		}, nil},
	} {
		t.Run(language.name, func(t *testing.T) {
			c := clientOf{t, t.TempDir(), bin}
			if err := os.CopyFS(c.folder, os.DirFS(filepath.Join(root, "infra", "clients"))); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(c.folder, "checkout"), 0o755); err != nil {
				t.Fatal(err)
			}
			for _, step := range language.steps {
				c.run(step...)
			}
			if language.program != nil {
				c.buys(language.program)
			}
		})
	}
}

// clientOf is a client in one language, in a folder of its own.
type clientOf struct {
	t           *testing.T
	folder, bin string // bin has the programs of Python, which call one another
}

// run runs a command in the folder, and returns what it printed.
func (c clientOf) run(args ...string) string {
	c.t.Helper()
	command := exec.CommandContext(c.t.Context(), args[0], args[1:]...)
	command.Dir = c.folder
	command.Env = append(os.Environ(), "PATH="+c.bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1", "GOWORK=off", "GOFLAGS=-mod=readonly")
	var faults strings.Builder
	command.Stderr = &faults
	out, err := command.Output()
	if err != nil {
		c.t.Fatalf("%s: %v\n%s%s", strings.Join(args, " "), err, out, faults.String())
	}
	return string(out)
}

// buys checks that a program reads what the service returns.
func (c clientOf) buys(program []string) {
	c.t.Helper()
	w, number := open(c.t), "order-of-client"
	order := members{"order": members{"number": number, "amount": "10.00", "currency": "USD", "description": "A gift"}}
	query := members{"order_id": number}
	w.sign(order)
	w.sign(query)
	printed := c.run(slices.Concat(program, []string{w.server.URL, number, fmt.Sprint(order["hash"]),
		fmt.Sprint(query["hash"])})...)
	address, payment, _ := strings.Cut(printed, "\n")
	if !strings.HasPrefix(address, w.server.URL+"/?session=") || payment != "settled "+number+" sale success 10.00\n" {
		c.t.Errorf("%s prints %q", program, printed)
	}
}
