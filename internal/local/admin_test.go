package local_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"checkout/internal/local"
	"checkout/internal/local/client"
)

// adminFolder is a folder with a page of a few lines in the place of the built admin page.
func adminFolder(t *testing.T) string {
	t.Helper()
	return folderOf(t, map[string]string{"index.html": "<!doctype html><title>Admin</title>"})
}

// me is the response of the admin API to who asks who they are.
type me struct {
	Who    string `json:"who"`
	Via    string `json:"via"`
	Grants []struct {
		Role string `json:"role"`
	} `json:"grants"`
}

// TestAdminPages opens the page by both links of a run: each is another person with other roles.
func TestAdminPages(t *testing.T) {
	server := start(t)
	var out output
	text, err := local.AdminLinks(&out, local.People, 0, server.StartAdmin)
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^  admin page  (http://127\.0\.0\.1:\d+)(/#enter=\w+)  (.*), opens once$`).
		FindAllStringSubmatch(text, -1)
	if len(lines) != 2 {
		t.Fatalf("not two links in\n%s", text)
	}
	for i, want := range []struct {
		who       string
		roles     string
		operators int // status of who may see what
	}{{"local/admin", "admin and finance", http.StatusOK}, {"local/support", "support", http.StatusForbidden}} {
		base := lines[i][1]
		browser, err := client.EnterAdmin(t.Context(), base+lines[i][2])
		if err != nil {
			t.Fatal(err)
		}
		if _, _, body := get(t, browser, base+"/payments"); !strings.Contains(body, "Admin</title>") {
			t.Errorf("%s: %s", want.who, body)
		}
		_, _, body := get(t, browser, base+"/admin/v1/me")
		var got me
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		var roles []string
		for _, g := range got.Grants {
			roles = append(roles, g.Role)
		}
		if got.Who != want.who || got.Via != "page" || strings.Join(roles, " and ") != want.roles ||
			lines[i][3] != want.roles {
			t.Errorf("%+v, printed %s, not %+v", got, lines[i][3], want)
		}
		if status, _, body := get(t, browser, base+"/admin/v1/operators"); status != want.operators {
			t.Errorf("%s sees operators: %d %s", want.who, status, body)
		}
	}
	if _, err := client.EnterAdmin(t.Context(), lines[1][1]+lines[1][2]); err == nil { // a second time, elsewhere
		t.Error("a link works twice")
	}
	if !regexp.MustCompile(`^local/support: The link was opened a second time\. .* A new link:\n\n  http:`).
		MatchString(out.String()) {
		t.Errorf("printed %q", out.String())
	}
	server.Stop()
	eventually(t, "ended", func() bool { _, err := browser(t).Get(lines[0][1]); return err != nil })
}

// TestAdminAPIHasNoOtherEntry checks that the port of merchants and payers, which names no caller, serves none of it.
func TestAdminAPIHasNoOtherEntry(t *testing.T) {
	server := start(t)
	if _, err := server.StartAdmin(local.People[0], 0, nil); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/admin/v1/me", "//admin/v1/me", "/api/../admin/v1/me"} {
		if status, _, body := get(t, browser(t), server.URL+path); status == http.StatusOK {
			t.Errorf("%s: %s", path, body)
		}
	}
}

// The pages take the port that the environment names and those after it, and the error for one that can't be had names
// it.
func TestPortsOfTheAdminPages(t *testing.T) {
	server := start(t)
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	taken, err := strconv.Atoi(at.Port())
	if err != nil {
		t.Fatal(err)
	}
	const wants = "port %d is taken: end what uses it, or choose another one for the admin page"
	for port, want := range map[string]string{
		strconv.Itoa(taken): fmt.Sprintf(wants, taken) + "\n",
		"x":                 "ADMIN_PORT is \"x\": not a number from 0 to 65535\n",
	} {
		var out, log output
		env := map[string]string{"PORT": "0", "ADMIN_PORT": port}
		code := local.Run(t.Context(), func(name string) string { return env[name] }, config(t),
			local.Output{Out: &out, Log: &log})
		if code != 1 || out.String() != "" || log.String() != want {
			t.Errorf("%d %s%s", code, out.String(), log.String())
		}
	}
	_, err = local.AdminLinks(io.Discard, local.People, taken-1, server.StartAdmin)
	if err == nil || err.Error() != fmt.Sprintf(wants, taken) && err.Error() != fmt.Sprintf(wants, taken-1) {
		t.Errorf("the second page takes the port after that of the first: %v", err)
	}
}
