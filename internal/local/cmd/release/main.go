// Command release makes a release of the repository that it runs in:
//
//	go run ./internal/local/cmd/release v1.0.0 bin/release
//
// The folder bin/release/checkout-v1.0.0 then has what `make deploy RELEASE=FOLDER` deploys without Go and Node, the
// operator's command for five systems, the plugin for WooCommerce, notes, and a list of all that is built in. The
// archive beside it has the same. Both are the same, byte for byte, wherever that commit is released by the Go of
// go.mod. The page is built before, and GOFLAGS has the flags of the functions; `make release` does both.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "use: release VERSION FOLDER")
		os.Exit(2)
	}
	schemas, err := findSchemas(ctx)
	if err == nil {
		r := release{version: os.Args[1], systems: systems, out: os.Stdout, schemas: schemas,
			folder: filepath.Join(os.Args[2], "checkout-"+os.Args[1])}
		err = r.make(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release is what is made of the repository of the working directory.
type release struct {
	version string
	folder  string // that it is made in
	systems []string
	schemas schemas
	out     io.Writer
}

var versions = regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`)

// make makes the folder and its archive, or neither.
func (r release) make(ctx context.Context) error {
	if err := r.check(ctx); err != nil {
		return err
	}
	notes, err := notesOf(ctx, r.version)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(r.folder); err != nil {
		return err
	}
	err = r.fill(ctx, notes)
	if err == nil {
		err = archive(r.folder)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(r.folder))
	}
	_, err = fmt.Fprintf(r.out, "%s, and the same as %s.tar.gz\n", r.folder, r.folder)
	return err
}

// check refuses what could not be released again in the same way.
func (r release) check(ctx context.Context) error {
	if !versions.MatchString(r.version) {
		return fmt.Errorf("VERSION should be like v1.0.0, not %q", r.version)
	}
	changed, err := git(ctx, "status", "--porcelain")
	if err != nil {
		return err
	}
	if changed != "" {
		return fmt.Errorf("commit first what has changed, since a release is that of a commit:\n%s", changed)
	}
	text, err := os.ReadFile("go.mod")
	if err != nil {
		return err
	}
	if wanted := wantedGo(string(text)); runtime.Version() != wanted {
		return fmt.Errorf("a release is built by %s of go.mod, not by %s", wanted, runtime.Version())
	}
	return nil
}

// wantedGo returns the version of Go that go.mod has.
func wantedGo(module string) string {
	for line := range strings.Lines(module) {
		if version, ok := strings.CutPrefix(line, "go "); ok {
			return "go" + strings.TrimSpace(version)
		}
	}
	return ""
}

// fill writes everything into the folder, the checksums last.
func (r release) fill(ctx context.Context, notes string) error {
	if err := copyFiles(r.folder); err != nil {
		return err
	}
	fmt.Fprintln(r.out, "building the functions...")
	modules, err := buildFunctions(ctx, filepath.Join(r.folder, "functions"))
	if err != nil {
		return err
	}
	for _, system := range r.systems {
		fmt.Fprintf(r.out, "building the commands for %s...\n", system)
		if err := buildCommands(ctx, filepath.Join(r.folder, "bin", system), modules); err != nil {
			return err
		}
	}
	if err := zipFolder("infra/plugins/woocommerce", plugin, filepath.Join(r.folder, plugin+".zip")); err != nil {
		return err
	}
	bill, err := billOfMaterials(ctx, r.version, modules)
	if err != nil {
		return err
	}
	if err := r.schemas.check(bill); err != nil {
		return fmt.Errorf("the bill of materials: %w", err)
	}
	for name, text := range map[string][]byte{"notes.txt": []byte(notes), "sbom.cdx.json": bill} {
		if err := os.WriteFile(filepath.Join(r.folder, name), text, 0o644); err != nil {
			return err
		}
	}
	return writeSums(r.folder)
}
