package contract

import (
	"bytes"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var every = flag.Bool("every", false, "what takes minutes, too: see `make contract`, which this needs")

// generator makes clients in a language, into the folder checkout beside its program.
type generator struct {
	name     string
	generate func(document string) []string
	check    [][]string // of what it made, and of the program if it is there
	program  string     // a file of infra/clients that uses the client of the merchants' document
	start    []string
}

// TestClients has generators make clients of the documents and checks that these compile. With those of the merchants'
// document, the programs of infra/clients create a session, read its payment and refund a part of it.
func TestClients(t *testing.T) {
	if !*every {
		t.Skip("make contract generates clients")
	}
	installed := filepath.Join(tools(t), "clients")
	for _, g := range generators(installed) {
		for _, document := range []string{"openapi-client.yaml", "admin.yaml", "adapter.yaml"} {
			t.Run(g.name+"/"+document, func(t *testing.T) {
				t.Parallel()
				c := clientOf{t, t.TempDir(), filepath.Join(installed, "venv", "bin")}
				c.copy("go.mod", "go.sum", "mypy.ini", "package.json")
				if document == "openapi-client.yaml" {
					c.copy(g.program)
				}
				path, err := filepath.Abs(filepath.Join(root, "infra", document))
				if err != nil {
					t.Fatal(err)
				}
				if err := os.Mkdir(filepath.Join(c.folder, "checkout"), 0o755); err != nil {
					t.Fatal(err)
				}
				c.run(g.generate(path)...)
				for _, step := range g.check {
					c.run(step...)
				}
				if document == "openapi-client.yaml" {
					c.buys(g.start)
				}
			})
		}
	}
}

// The commands of infra/clients/README.md are those of the tests.
func TestCommandsOfClients(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "infra", "clients", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range generators("") {
		command := g.generate("openapi-client.yaml")
		for _, i := range []int{0, 2} { // what is installed
			if strings.HasSuffix(command[i], ".jar") || i == 0 {
				command[i] = filepath.Base(command[i])
			}
		}
		line := "`" + strings.Join(command, " ") + "` | `" + g.program + "`"
		if !strings.Contains(string(readme), line) {
			t.Errorf("infra/clients/README.md has no %s", line)
		}
	}
}

func generators(installed string) []generator {
	python := filepath.Join(installed, "venv", "bin", "python")
	mypy := filepath.Join(installed, "venv", "bin", "mypy")
	node := func(name string) string { return filepath.Join(installed, "node_modules", ".bin", name) }
	jars := filepath.Join(installed, "java", "*")
	openapi := func(language string, more ...string) func(string) []string {
		return func(document string) []string {
			return slices.Concat([]string{"java", "-jar", filepath.Join(installed, "openapi-generator-cli.jar"), "generate",
				"-g", language, "-i", document}, more)
		}
	}
	return []generator{
		{"oapi-codegen", func(document string) []string {
			return []string{filepath.Join(installed, "bin", "oapi-codegen"), "-generate", "types,client",
				"-package", "checkout", "-o", filepath.Join("checkout", "client.go"), document}
		}, [][]string{{"go", "vet", "./..."}}, "main.go", []string{"go", "run", "."}},
		{"openapi-python-client", func(document string) []string {
			return []string{filepath.Join(installed, "venv", "bin", "openapi-python-client"), "generate",
				"--path", document, "--output-path", "checkout", "--overwrite", "--meta", "none", "--fail-on-warning"}
		}, [][]string{{mypy, "."}}, "main.py", []string{python, "main.py"}},
		{"openapi-typescript", func(document string) []string {
			return []string{node("openapi-typescript"), document, "-o", "types.ts"}
		}, [][]string{{"bash", "-c", `"$0" --strict --target es2022 --module nodenext --types node --typeRoots "$1" ` +
			`$(find . -maxdepth 1 -name '*.ts')`,
			node("tsc"), filepath.Join(installed, "node_modules", "@types")}},
			"main.ts", []string{"node", "main.js"}},
		{"openapi-generator for Java", openapi("java", "-o", "checkout",
			"--invoker-package", "checkout", "--api-package", "checkout.api", "--model-package", "checkout.model"),
			[][]string{{"bash", "-c",
				`javac -nowarn -d classes -cp "$0" $(find . -name '*.java' -not -path '*/test/*')`, jars}},
			"Main.java", []string{"java", "-cp", "classes" + string(os.PathListSeparator) + jars, "Main"}},
		{"openapi-generator for PHP", openapi("php", "-o", "checkout", "--invoker-package", "Checkout"),
			[][]string{{"bash", "-c", `find . -name '*.php' -print0 | xargs -0 -n 1 php -l`}},
			"main.php", []string{"php", "main.php"}},
		{"openapi-generator for Python", openapi("python", "-o", ".", "--package-name", "checkout"),
			[][]string{{python, "-W", "error", "-c", "import checkout.models, checkout.api"}, {mypy, "checkout"}},
			"by_openapi_generator.py", []string{python, "by_openapi_generator.py"}},
	}
}

// clientOf is a client in one language, in a folder of its own.
type clientOf struct {
	t           *testing.T
	folder, bin string // bin has the programs of Python, which call one another
}

// copy copies files of infra/clients.
func (c clientOf) copy(names ...string) {
	c.t.Helper()
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(root, "infra", "clients", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(c.folder, name), text, 0o644)
		}
		if err != nil {
			c.t.Fatal(err)
		}
	}
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

// buys checks that a program creates a session, reads its payment and refunds a part of it, of a service whose
// responses have a member that the document does not know.
func (c clientOf) buys(program []string) {
	c.t.Helper()
	w, number := open(c.t), "order-of-client"
	service, err := url.Parse(w.server.URL)
	if err != nil {
		c.t.Fatal(err)
	}
	later := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(service); r.Out.Header.Del("Accept-Encoding") },
		ModifyResponse: func(r *http.Response) error {
			text, err := io.ReadAll(r.Body)
			text = bytes.Replace(text, []byte("{"), []byte(`{"added_later":{"by":1},`), 1)
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
			r.Header.Set("Content-Length", strconv.Itoa(len(text)))
			return err
		},
	}
	server := httptest.NewServer(later)
	defer server.Close()
	printed := c.run(slices.Concat(program, []string{server.URL, number, w.shop().Password})...)
	address, rest, _ := strings.Cut(printed, "\n")
	if !strings.HasPrefix(address, w.server.URL+"/?session=") ||
		rest != "settled "+number+" sale success 10.00\naccepted\n" {
		c.t.Errorf("%s prints %q", program, printed)
	}
}
