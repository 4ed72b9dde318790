package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"checkout/internal/local/cloud"
)

// uploader is an aws that knows the outputs of a stack, and writes the item that is put into a file.
const uploader = `#!/bin/sh
case "$*" in
*"'TableName'"*) echo table;;
*"'BaseUrl'"*) echo https://pay.example;;
*describe-stacks*) echo any;;
*put-item*) printf %s "$8" >"$ITEM";;
"s3 cp - "*) cat >/dev/null;;
esac`

// recordRelease has upload-page make the record of the built page's release, and puts it into the table.
func (w *world) recordRelease() {
	w.t.Helper()
	folder := w.t.TempDir()
	item := filepath.Join(folder, "item")
	if err := os.WriteFile(filepath.Join(folder, "aws"), []byte(uploader), 0o700); err != nil {
		w.t.Fatal(err)
	}
	upload := exec.CommandContext(w.t.Context(), "infra/tools/upload-page", "any", "any")
	upload.Dir = root
	upload.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"), "ITEM="+item)
	if out, err := upload.CombinedOutput(); err != nil {
		w.t.Fatalf("%v: run `make page`: %s", err, out)
	}
	text, err := os.ReadFile(item)
	if err != nil {
		w.t.Fatal(err)
	}
	body, err := json.Marshal(map[string]any{"TableName": w.cloud.TableName("Table"), "Item": json.RawMessage(text)})
	if err != nil {
		w.t.Fatal(err)
	}
	admin := w.cloud.AdminEnv("Table", "SecretsKey")("AWS_ACCESS_KEY_ID")
	if status, reply := w.as(admin, "DynamoDB_20120810.PutItem", body); status != 200 {
		w.t.Fatalf("%d %s", status, reply)
	}
}

// guards fires the guard, and returns what it has logged when its last line is there.
func (w *world) guards() string {
	w.t.Helper()
	before := len(w.cloud.Logs("guard"))
	if err := w.cloud.Fire(w.t.Context(), "guard"); err != nil {
		w.t.Fatal(err)
	}
	log := func() string { return w.cloud.Logs("guard")[before:] }
	w.until("the guard's last line is there", func() bool {
		return strings.Contains(log(), "page compared") || strings.Contains(log(), "no release of the page is recorded")
	})
	return log()
}

// What a browser reports reaches the function without permissions, which counts it.
func TestReportsAreCounted(t *testing.T) {
	t.Parallel()
	w := open(t, func(c *cloud.Config) { c.Most = 1 })
	status, body := w.call("POST", "/page/reports", map[string]any{"csp-report": map[string]any{
		"document-uri": w.cloud.BaseURL() + "/?session=secret", "effective-directive": "script-src-elem",
		"blocked-uri": "inline"}})
	if status != 204 || len(body) > 0 {
		t.Errorf("%d %s", status, body)
	}
	const want = `"msg":"policy violated","directive":"script-src-elem","blocked":"inline","csp_reports":1,`
	w.until("the report is counted", func() bool { return strings.Contains(w.cloud.Logs("unknown"), want) })
	if log := w.cloud.Logs("unknown"); strings.Contains(log, "secret") {
		t.Errorf("%s", log)
	}
}

// The guard compares the built page, as the local cloud serves it, with the record that upload-page makes of it.
func TestTheGuardComparesThePageWithItsRelease(t *testing.T) {
	t.Parallel()
	page, frame := t.TempDir(), t.TempDir()
	for to, from := range map[string]string{page: "dist", frame: "dist-wallet"} {
		if err := os.CopyFS(to, os.DirFS(filepath.Join(root, "infra", "page", from))); err != nil {
			t.Fatalf("%v: run `make page`", err)
		}
	}
	w := open(t, func(c *cloud.Config) { c.StaticDir, c.WalletDir, c.Most = page, frame, 1 })
	if log := w.guards(); !strings.Contains(log, "no release of the page is recorded") ||
		strings.Contains(log, "_changed") {
		t.Errorf("before a release: %s", log)
	}
	w.recordRelease()
	const same = `"page_changed":0,"headers_changed":0,`
	if log := w.guards(); !strings.Contains(log, same) || strings.Contains(log, "is not as it was released") {
		t.Errorf("nothing was changed: %s", log)
	}
	for _, c := range []struct{ folder, file, adds, what string }{
		{page, "after-*.js", " ", "content"}, {frame, "frame-*.js", " ", "content"}, {page, "rows-*.js", " ", "content"},
		{page, "de.html", "<!-- a word -->", "content"}, {page, "index.html", "<script>1</script>", "script in the page"},
	} {
		found, err := filepath.Glob(filepath.Join(c.folder, c.file))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %v %v", c.file, found, err)
		}
		text, err := os.ReadFile(found[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, content := range []string{string(text) + c.adds, string(text)} {
			if err := os.WriteFile(found[0], []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			log := w.guards()
			named := strings.Contains(log, `"what":"`+c.what+`","path":"/`+filepath.Base(found[0])+`"`)
			if changed := content != string(text); named != changed || strings.Contains(log, same) == changed {
				t.Errorf("%s, changed %t: %s", c.file, changed, log)
			}
		}
	}
}
