package stack

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// workflow is what the tests below read of one.
type workflow struct {
	Permissions map[string]string `yaml:"permissions"`
	Jobs        map[string]struct {
		Environment string `yaml:"environment"`
		Needs       string `yaml:"needs"`
		Steps       []struct {
			Uses string            `yaml:"uses"`
			With map[string]string `yaml:"with"`
			Run  string            `yaml:"run"`
		} `yaml:"steps"`
	} `yaml:"jobs"`
}

// readWorkflow reads a workflow, whose actions have to be GitHub's own, each pinned by its major version, with the Go
// of go.mod.
func readWorkflow(t *testing.T, file string) workflow {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	var w workflow
	if err := yaml.Unmarshal(text, &w); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for name, job := range w.Jobs {
		for _, step := range job.Steps {
			if step.Uses != "" && !regexp.MustCompile(`^actions/[a-z-]+@v\d+$`).MatchString(step.Uses) {
				t.Errorf("%s: the job %s has the action %s", file, name, step.Uses)
			}
			if strings.HasPrefix(step.Uses, "actions/setup-go@") && step.With["go-version-file"] != "go.mod" {
				t.Errorf("%s: the job %s has the Go of %v", file, name, step.With)
			}
		}
	}
	return w
}

// runs lists the commands of a job's steps.
func (w workflow) runs(job string) (all []string) {
	for _, step := range w.Jobs[job].Steps {
		all = append(all, step.Run)
	}
	return all
}

// The workflow runs what a change has to pass.
func TestTheWorkflowRunsWhatAChangeHasToPass(t *testing.T) {
	w := readWorkflow(t, ".github/workflows/ci.yaml")
	if runs := w.runs("test"); len(w.Jobs) != 1 || runs[len(runs)-1] != ".ci/run" {
		t.Errorf("%d jobs, which run %q", len(w.Jobs), runs)
	}
	if len(w.Permissions) != 1 || w.Permissions["contents"] != "read" {
		t.Errorf("the workflow may do %v", w.Permissions)
	}
}

// A tag is released by the command that anybody can repeat, with the history that its notes are made of.
func TestATagIsReleased(t *testing.T) {
	w := readWorkflow(t, ".github/workflows/release.yaml")
	runs := w.runs("release")
	if len(w.Jobs) != 1 || !slices.Contains(runs, `make release VERSION="$TAG"`) ||
		!strings.Contains(runs[len(runs)-1], "gh release create") || w.Jobs["release"].Steps[0].With["fetch-depth"] != "0" {
		t.Errorf("%d jobs, which run %q", len(w.Jobs), runs)
	}
	if len(w.Permissions) != 1 || w.Permissions["contents"] != "write" {
		t.Errorf("the workflow may do %v", w.Permissions)
	}
}
