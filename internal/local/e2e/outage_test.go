package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/local/cloud"
	stories "checkout/internal/local/story"
	"checkout/internal/operator/grant"
)

// command runs the operator's command on the service and returns what it prints.
func (w *world) command(args ...string) string {
	w.t.Helper()
	env := w.cloud.AdminEnv("Table", "SecretsKey")
	run := exec.CommandContext(w.t.Context(), "go", append([]string{"run", "./internal/local/cmd/checkout"}, args...)...)
	run.Dir = root
	run.Env = append(os.Environ(), "CHECKOUT_URL="+w.cloud.AdminURL(), "XDG_CONFIG_HOME="+w.t.TempDir())
	for _, name := range []string{"AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		run.Env = append(run.Env, name+"="+env(name))
	}
	var notes bytes.Buffer
	run.Stderr = &notes
	out, err := run.Output()
	if err != nil {
		w.t.Fatalf("checkout %s: %v\n%s%s", strings.Join(args, " "), err, out, notes.String())
	}
	return string(out)
}

// What an outage has parked two days ago is sent by one command: each callback once, those of a
// payment in their order, and none of another address, beside a new one.
func TestOneCommandSendsAnOutageAgain(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.grants(grant.Grant{Who: "arn:aws:iam::000000000000:user/" + cloud.AdminKey, Role: grant.Support,
		Merchants: []string{grant.AllMerchants}, Mode: grant.Both})
	table, err := app.OpenTable(t.Context(), w.cloud.AdminEnv("Table", "SecretsKey"))
	if err != nil {
		t.Fatal(err)
	}
	const n = 100
	before := time.Now().Add(-48 * time.Hour)
	parked := append(stories.ParkedCallbacks("shop", n, before), stories.ParkedCallbacks("demo", 5, before)...)
	for records := range slices.Chunk(parked, 100) {
		if err := table.Save(t.Context(), time.Now(), records...); err != nil {
			t.Fatal(err)
		}
	}
	url := w.shop.merchant.TestNotificationURL
	said := w.command("callbacks", "send", "--url", url, "--reason", "the shop is back", "--yes")
	if said != `{"sent":100,"left":0}`+"\n" {
		t.Errorf("said %s", said)
	}
	w.visit().pays("01/38")
	w.settle()
	seen, latest := map[string]bool{}, map[string]string{}
	for _, got := range w.shop.received() {
		id := got.ID()
		payment := id[:strings.LastIndexByte(id, '_')]
		if seen[id] || id < latest[payment] {
			t.Errorf("%s comes after %s, a second time: %t", id, latest[payment], seen[id])
		}
		seen[id], latest[payment] = true, id
	}
	left := 0
	for _, one := range w.items() {
		if strings.HasPrefix(one.sk, "callback/") && strings.Contains(one.doc, `"parked"`) {
			left++
		}
	}
	if len(seen) != n+1 || left != 5 {
		t.Errorf("%d of %d delivered, %d left", len(seen), n+1, left)
	}
}
