package stack

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"gopkg.in/yaml.v3"
)

// The workflow runs what a change has to pass, by actions of GitHub's own, each pinned by its major version, and with
// the Go of go.mod.
func TestTheWorkflowRunsWhatAChangeHasToPass(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, ".github/workflows/ci.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Permissions map[string]string `yaml:"permissions"`
		Jobs        map[string]struct {
			Steps []struct {
				Uses string            `yaml:"uses"`
				With map[string]string `yaml:"with"`
				Run  string            `yaml:"run"`
			} `yaml:"steps"`
		} `yaml:"jobs"`
	}
	if err := yaml.Unmarshal(text, &workflow); err != nil {
		t.Fatal(err)
	}
	var runs, versions []string
	for _, step := range workflow.Jobs["test"].Steps {
		if step.Uses != "" && !regexp.MustCompile(`^actions/[a-z-]+@v\d+$`).MatchString(step.Uses) {
			t.Errorf("the action %s", step.Uses)
		}
		runs, versions = append(runs, step.Run), append(versions, step.With["go-version-file"])
	}
	if len(workflow.Jobs) != 1 || runs[len(runs)-1] != ".ci/run" || !slices.Contains(versions, "go.mod") {
		t.Errorf("%d jobs, which run %q with Go of %q", len(workflow.Jobs), runs, versions)
	}
	if len(workflow.Permissions) != 1 || workflow.Permissions["contents"] != "read" {
		t.Errorf("the workflow may do %v", workflow.Permissions)
	}
}
