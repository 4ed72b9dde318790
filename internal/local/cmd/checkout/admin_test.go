package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	localclient "checkout/internal/local/client"
	"checkout/internal/local/sigv4"
)

// adminAPI is a client with an access key of an admin API of AWS that knows this key alone.
func adminAPI(t *testing.T, me http.HandlerFunc) *client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		signed := strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20261123/"+
			"eu-central-1/execute-api/aws4_request")
		if !signed || r.Header.Get("X-Admin-Via") == "" || !strings.HasPrefix(r.URL.Path, "/admin/v1/") {
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"message":"Forbidden"}`)
			return
		}
		me(w, r)
	}))
	t.Cleanup(server.Close)
	return &client{base: server.URL, http: &http.Client{Transport: &sigv4.Transport{
		Credentials: credentials.NewStaticCredentialsProvider("AKIAEXAMPLE", "secret", ""), Region: "eu-central-1",
		Now: func() time.Time { return time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC) },
	}}}
}

func whoAmI(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprint(w, `{"who":"arn:aws:iam::111122223333:user/ada"}`)
}

// adminPage is a folder with a page of one line.
func adminPage(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "index.html"), []byte("<title>Admin"), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

// TestServeAdmin opens the printed link, and asks the API through the page's server.
func TestServeAdmin(t *testing.T) {
	api := adminAPI(t, whoAmI)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, printed := io.Pipe()
	opened, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- serveAdmin(ctx, api, adminOptions{page: adminPage(t), out: printed,
			open: func(file string) error {
				opened <- file
				return errors.New("no browser here")
			}})
		printed.Close()
	}()
	var text strings.Builder
	for b := make([]byte, 4096); !strings.Contains(text.String(), "open the link yourself"); {
		n, err := out.Read(b)
		text.Write(b[:n])
		if err != nil {
			t.Fatalf("%v: %v\n%s", err, <-ended, text.String())
		}
	}
	found := regexp.MustCompile(`(?s)^The admin page of 127\.0\.0\.1:\d+ for arn:aws:iam::111122223333:user/ada, ` +
		`until Ctrl-C\..*\n\n  (http://127\.0\.0\.1:\d+)(/#enter=(\w+))\n\n` +
		`No browser could be opened \(no browser here\): `).
		FindStringSubmatch(text.String())
	if found == nil {
		t.Fatalf("printed\n%s", text.String())
	}
	file := <-opened
	checkLinkFile(t, file, found[1]+found[2], found[3])
	browser, err := localclient.EnterAdmin(t.Context(), found[1]+found[2])
	if err != nil {
		t.Fatal(err)
	}
	if got := fetch(t, browser, found[1]+found[2]); got != "<title>Admin" {
		t.Errorf("the page: %s", got)
	}
	if got := fetch(t, browser, found[1]+"/admin/v1/me"); !strings.Contains(got, "user/ada") {
		t.Errorf("through the page: %s", got)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := browser.Get(found[1]); err == nil {
		t.Error("it still serves the page")
	}
	if _, err := os.Stat(filepath.Dir(file)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the link is still there: %v", err)
	}
}

// checkLinkFile checks that a file that a browser is to open has the link, and that nobody else can read it.
func checkLinkFile(t *testing.T, file, link, code string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), link) || strings.Contains(file, code) {
		t.Errorf("opened %s: %v\n%s", file, err, text)
	}
	for path, want := range map[string]os.FileMode{file: 0o600, filepath.Dir(file): 0o700 | os.ModeDir} {
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

func fetch(t *testing.T, by *http.Client, address string) string {
	t.Helper()
	response, err := by.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

type noCredentials struct{}

func (noCredentials) Retrieve(context.Context) (aws.Credentials, error) {
	return aws.Credentials{}, errors.New("no EC2 IMDS role found")
}

func TestServeAdminSaysWhatIsMissing(t *testing.T) {
	known := adminAPI(t, whoAmI)
	stranger := adminAPI(t, whoAmI)
	stranger.http.Transport.(*sigv4.Transport).Region = "us-east-1"
	alone := &client{base: known.base, http: &http.Client{Transport: &sigv4.Transport{Credentials: noCredentials{}}}}
	nobody := adminAPI(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `{"error_code":0,"error_message":"You have no grant: an administrator can give you one."}`)
	})
	site := adminAPI(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") })
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	page := adminPage(t)
	for _, test := range []struct {
		api  *client
		o    adminOptions
		want string
		exit int
	}{
		{known, adminOptions{page: t.TempDir()}, "the admin page is not built: no index.html in", exitFailed},
		{known, adminOptions{page: page, port: port}, fmt.Sprintf("port %d is taken", port), exitFailed},
		{alone, adminOptions{page: page}, "get AWS credentials: no EC2 IMDS role found", exitFailed},
		{stranger, adminOptions{page: page}, "Forbidden (status 403", exitNotAllowed},
		{nobody, adminOptions{page: page}, "You have no grant", exitNotAllowed},
		{site, adminOptions{page: page}, "read the response: ", exitFailed},
	} {
		var out strings.Builder
		test.o.out = &out
		err := serveAdmin(t.Context(), test.api, test.o)
		if err == nil || !strings.Contains(err.Error(), test.want) || exitCode(err) != test.exit || out.Len() > 0 {
			t.Errorf("%v, not %q; printed %s", err, test.want, out.String())
		}
	}
}

// TestAdminFolder checks that the page of a repository is found from wherever its bin/checkout is called.
func TestAdminFolder(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	program, linked := filepath.Join(root, "bin", "checkout"), filepath.Join(elsewhere, "checkout")
	err := errors.Join(os.Mkdir(filepath.Dir(program), 0o700), os.WriteFile(program, nil, 0o700),
		os.WriteFile(filepath.Join(root, "template.yaml"), nil, 0o600), os.Symlink(program, linked))
	if err != nil {
		t.Fatal(err)
	}
	built := filepath.Join("infra", "page", "dist-admin")
	for program, want := range map[string]string{
		program: filepath.Join(root, built), linked: filepath.Join(root, built),
		filepath.Join(elsewhere, "run"): built, // as go run has it
	} {
		if got := adminFolder(program); got != want {
			t.Errorf("%s: %s", program, got)
		}
	}
}
