package browser

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"checkout/internal/app"
	"checkout/internal/local/cloud"
)

// cloudStories are those that TestCloud tells without -methods.
var cloudStories = []string{
	"keyboard alone", "declined, then paid with another card", "redirect, refused", "two tabs",
	"the page has no script or style but its own", "the watch sees what it watches for", "in a frame, back in the frame",
	"a bank's page opens in a window beside the frame", "the browser's language",
}

// TestCloud tells stories of whole payments in the local cloud, where every function is a process with the template's
// routes and permissions. `make lambda` builds the functions, `make tools` fetches the engines.
func TestCloud(t *testing.T) {
	t.Parallel()
	folder, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cloud.Start(t.Context(), cloud.Config{
		Slower: 10,
		Root:   folder, StackName: "browser", Environment: map[string]string{"ALLOW_LOOPBACK_CALLBACKS": "true"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	if err := c.Fire(t.Context(), "sweep"); err != nil { // it makes the keys of the day
		t.Fatal(err)
	}
	operator, err := app.OpenMerchants(t.Context(), c.AdminEnv("Table", "SecretsKey"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "infra", "merchants.json"))
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte("{SIMULATOR_URL}"), []byte("https://simulator.example"))
	merchants, err := app.LoadMerchants(t.Context(), operator, text, c.BaseURL())
	if err != nil {
		t.Fatal(err)
	}
	stories := wholeStories
	if !*everyMethod { // those of which the cloud could spoil something: headers, files, who is sent where
		left := func(s story) bool { return !slices.Contains(cloudStories, s.name) }
		stories = slices.DeleteFunc(slices.Clone(stories), left)
		if len(stories) != len(cloudStories) {
			t.Errorf("only %d stories", len(stories))
		}
	}
	tell(t, target{c.BaseURL(), merchants[0].TestKey, merchants[0].Password}, stories)
	if t.Failed() {
		for function, lines := range c.AllLogs() {
			t.Logf("%s:\n%s", function, lines[max(0, len(lines)-4000):])
		}
	}
}
