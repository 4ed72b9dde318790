package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"checkout/internal/local/adminpage"
	"checkout/internal/local/sigv4"
)

var adminCommands = []command{{"admin", "", "[-url URL] [-port PORT] [-page FOLDER] [-no-open]",
	"opens the admin page in a browser of this machine, with your AWS credentials, until Ctrl-C", openAdmin}}

// openAdmin reads the flags of the admin page.
func openAdmin(ctx context.Context, c *call) error {
	c.noTable = true
	o := adminOptions{out: c.out, open: openBrowser}
	c.flags.StringVar(&o.api, "url", c.getenv("CHECKOUT_URL"), "address of the admin API: the stack's output AdminUrl")
	c.flags.IntVar(&o.port, "port", 0, "of the page, on 127.0.0.1; 0: any free one")
	program, err := os.Executable()
	if err != nil {
		return err
	}
	c.flags.StringVar(&o.page, "page", adminFolder(program), "folder of the built page")
	noOpen := c.flags.Bool("no-open", false, "only print the link")
	if err := c.parse(0); err != nil {
		return err
	}
	if *noOpen {
		o.open = nil
	}
	transport, err := sigv4.Default(ctx)
	if err != nil {
		return err
	}
	o.by = transport
	return serveAdmin(ctx, o)
}

// adminOptions say what checkout admin serves.
type adminOptions struct {
	api  string            // address of the admin API, without /admin/v1
	by   http.RoundTripper // signs what is sent there
	port int               // 0: any free one
	page string            // folder of the built page
	open func(ctx context.Context, link string) error
	out  io.Writer
}

// serveAdmin prints the link of the admin page, opens it unless o.open is nil, and serves the page until ctx ends. Its
// errors say what is missing: the page, a free port, credentials, a grant.
func serveAdmin(ctx context.Context, o adminOptions) error {
	base, err := adminAddress(o.api)
	if err != nil {
		return err
	}
	who, err := adminCaller(ctx, base, o.by)
	if err != nil {
		return err
	}
	server, err := adminpage.Start(ctx, adminpage.Config{Page: o.page, Base: base, API: o.by, Port: o.port,
		Renewed: func(link string) {
			fmt.Fprintf(o.out, "The link was opened a second time. If it was not you, end this now. A new one:\n\n  %s\n", link)
		}})
	if err != nil {
		return err
	}
	defer server.Stop()
	fmt.Fprintf(o.out, "The admin page of %s for %s, until Ctrl-C. The link opens it in one browser:\n\n  %s\n",
		base.Host, who, server.Link())
	if o.open != nil {
		if err := o.open(ctx, server.Link()); err != nil {
			fmt.Fprintf(o.out, "\nNo browser could be opened (%v): open the link yourself.\n", err)
		}
	}
	<-ctx.Done()
	return nil
}

// adminAddress refuses an address to which a signature would go in clear.
func adminAddress(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	switch {
	case text == "":
		return nil, errors.New("no admin API: set -url or CHECKOUT_URL to the stack's output AdminUrl")
	case err != nil || base.Host == "":
		return nil, fmt.Errorf("%q is no address of an admin API", text)
	case base.Scheme == "https":
		return base, nil
	case base.Scheme == "http" && (base.Hostname() == "localhost" || net.ParseIP(base.Hostname()).IsLoopback()):
		return base, nil
	}
	return nil, fmt.Errorf("%q is no https address", text)
}

// adminCaller returns who signs the requests, as the admin API knows them. It fails for somebody without a grant.
func adminCaller(ctx context.Context, base *url.URL, by http.RoundTripper) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, base.JoinPath("/admin/v1/me").String(), nil)
	if err != nil {
		return "", err
	}
	r.Header.Set("X-Admin-Via", "page")
	response, err := by.RoundTrip(r)
	if err != nil {
		return "", fmt.Errorf("the admin API can't be reached: %w", err)
	}
	defer response.Body.Close()
	var body struct {
		Who     string `json:"who"`
		Error   string `json:"error_message"`
		Message string `json:"message"` // of API Gateway itself
	}
	if err := json.NewDecoder(response.Body).Decode(&body); err != nil {
		return "", fmt.Errorf("the address is no admin API: its response is no JSON (HTTP %d)", response.StatusCode)
	}
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the admin API refuses you: %s (HTTP %d)", strings.TrimSpace(body.Error+" "+body.Message),
			response.StatusCode)
	}
	return body.Who, nil
}

// adminFolder returns the folder of the built page: that of the repository whose bin has this program, or else that of
// the repository in which it is run.
func adminFolder(program string) string {
	built := filepath.Join("infra", "page", "dist-admin")
	if program, err := filepath.EvalSymlinks(program); err == nil {
		root := filepath.Join(filepath.Dir(program), "..")
		if _, err := os.Stat(filepath.Join(root, "template.yaml")); err == nil {
			return filepath.Join(root, built)
		}
	}
	return built
}

// openBrowser opens an address in the person's browser.
func openBrowser(ctx context.Context, address string) error {
	program, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		program = "open"
	case "windows":
		program, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	return exec.CommandContext(ctx, program, args...).Run()
}
