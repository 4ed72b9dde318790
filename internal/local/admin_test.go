package local_test

import (
	"encoding/json"
	"net/http"
	"regexp"
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
	text, err := local.AdminLinks(&out, local.People, server.StartAdmin)
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^  (http://127\.0\.0\.1:\d+)(/#enter=\w+)  (.*)$`).
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
	if _, err := server.StartAdmin(local.People[0], nil); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/admin/v1/me", "//admin/v1/me", "/api/../admin/v1/me"} {
		if status, _, body := get(t, browser(t), server.URL+path); status == http.StatusOK {
			t.Errorf("%s: %s", path, body)
		}
	}
}
