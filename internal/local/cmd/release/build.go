package main

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// systems are those of the operator's command.
var systems = []string{"darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64", "windows-amd64"}

// copied are the files and folders that a deployment reads, as they are in the repository.
var copied = []string{
	"LICENSE", "infra/alarms.yaml", "infra/edge.yaml", "infra/iam", "infra/page/dist",
	"infra/page/dist-admin", "infra/page/dist-wallet", "infra/page/release.json", "infra/tools/deploy",
	"infra/tools/origin-certificate", "infra/tools/upload-page",
}

// plugin is the plugin for WooCommerce, as a shop installs it.
const plugin = "hosted-checkout"

// code is where the template has the folder of a function.
var code = regexp.MustCompile(`(?m)^( +CodeUri: functions/[a-z]+)$`)

// copyFiles copies what a deployment reads, and the template, in which functions are archives.
func copyFiles(folder string) error {
	for _, name := range copied {
		to := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if info.IsDir() {
			err = os.CopyFS(to, os.DirFS(name))
		} else {
			err = copyFile(name, to, modeOf(info))
		}
		if err != nil {
			return err
		}
	}
	template, err := os.ReadFile("template.yaml")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "template.yaml"), code.ReplaceAll(template, []byte("$1.zip")), 0o644)
}

func copyFile(from, to string, mode os.FileMode) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, mode)
}

// buildFunctions builds an archive of each function in a folder, and returns the modules that are in them.
func buildFunctions(ctx context.Context, folder string) (modules, error) {
	built, err := os.MkdirTemp("", "functions")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(built)
	if err := goBuild(ctx, "linux-arm64", built, "./functions/..."); err != nil {
		return nil, err
	}
	if err := os.Mkdir(folder, 0o755); err != nil {
		return nil, err
	}
	binaries, err := filepath.Glob(filepath.Join(built, "*"))
	if err != nil {
		return nil, err
	}
	found := modules{}
	for _, binary := range binaries {
		alone := binary + ".alone"
		if err := errors.Join(found.addBinary(binary), os.Mkdir(alone, 0o755),
			os.Rename(binary, filepath.Join(alone, "bootstrap")),
			zipFolder(alone, "", filepath.Join(folder, filepath.Base(binary)+".zip"))); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// buildCommands builds for a system, by the folder's name, the operator's command and what reads the parameters of a
// deployment.
func buildCommands(ctx context.Context, folder string, found modules) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	err := goBuild(ctx, filepath.Base(folder), folder, "./internal/local/cmd/checkout", "./internal/local/cmd/parameters")
	if err != nil {
		return err
	}
	binaries, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return err
	}
	for _, binary := range binaries {
		if err := found.addBinary(binary); err != nil {
			return err
		}
	}
	return nil
}

// goBuild builds packages for a system, with the oldest processors of its kind.
func goBuild(ctx context.Context, system, folder string, packages ...string) error {
	kind, processor, _ := strings.Cut(system, "-")
	args := []string{"build", "-trimpath", "-buildvcs=false", "-o", folder + string(filepath.Separator)}
	command := exec.CommandContext(ctx, "go", append(args, packages...)...)
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+kind, "GOARCH="+processor, "GOAMD64=v1",
		"GOARM64=v8.0", "GOEXPERIMENT=", "GOFIPS140=off")
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("go build for %s: %w\n%s", system, err, out)
	}
	return nil
}

// modules are Go's modules in binaries, MODULE@VERSION, the standard library among them.
type modules map[string]bool

// addBinary adds the modules of a binary.
func (m modules) addBinary(file string) error {
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return err
	}
	m["stdlib@"+strings.TrimPrefix(info.GoVersion, "go")] = true
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			dep = dep.Replace
		}
		m[dep.Path+"@"+dep.Version] = true
	}
	return nil
}
