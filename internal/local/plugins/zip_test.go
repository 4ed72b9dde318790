package plugins

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What `make plugin` packs is a plugin with which a shop is paid.
func TestPluginZip(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "plugin.zip")
	if out, err := exec.Command("make", "-s", "-C", "../../..", "plugin", "ZIP="+file).CombinedOutput(); err != nil {
		t.Fatalf("make plugin: %v\n%s", err, out)
	}
	packed, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	if err := os.CopyFS(folder, packed); err != nil {
		t.Fatal(err)
	}
	w := start(t)
	w.plugin = filepath.Join(folder, "hosted-checkout")
	for _, name := range []string{"uninstall.php", "readme.txt", "languages/hosted-checkout.pot"} {
		if _, err := os.Stat(filepath.Join(w.plugin, name)); err != nil {
			t.Error(err)
		}
	}
	paid(w.open(t, nil))
}
