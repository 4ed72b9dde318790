package stack

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"checkout/internal/local/cloud/template"

	"gopkg.in/yaml.v3"
)

// A pull request can only look. Production comes after the test stack was tried, each in an environment of its own, and
// no job has stored keys.
func TestThePipelineTriesBeforeProduction(t *testing.T) {
	w := readWorkflow(t, "infra/ci/deploy.yaml")
	for job, want := range map[string][]string{
		"diff":       {"github-credentials \"${{ vars.DIFF_ROLE }}\"", "make diff "},
		"test":       {"github-credentials \"${{ vars.DEPLOY_ROLE }}\"", "make deploy ", "make smoke "},
		"production": {"github-credentials \"${{ vars.DEPLOY_ROLE }}\"", "make diff ", "make deploy "},
	} {
		runs := slices.DeleteFunc(w.runs(job), func(run string) bool { return run == "" })
		if !slices.EqualFunc(runs, want, strings.Contains) {
			t.Errorf("%s runs %q", job, runs)
		}
	}
	if len(w.Jobs) != 3 || w.Jobs["diff"].Environment != "" || w.Jobs["test"].Environment != "test" ||
		w.Jobs["production"].Environment != "production" || w.Jobs["production"].Needs != "test" {
		t.Errorf("the jobs are %+v", w.Jobs)
	}
	if len(w.Permissions) != 2 || w.Permissions["contents"] != "read" || w.Permissions["id-token"] != "write" {
		t.Errorf("the workflow may do %v", w.Permissions)
	}
}

// The trust policy is a text in the template, which has to be a policy for exactly one subject and audience.
func TestThePipelinesRoleTrustsOneSubject(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "infra/ci/role.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Resources struct {
			Role struct {
				Properties struct {
					AssumeRolePolicyDocument struct {
						Sub []yaml.Node `yaml:"Fn::Sub"`
					} `yaml:"AssumeRolePolicyDocument"`
				} `yaml:"Properties"`
			} `yaml:"Role"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	document := strings.NewReplacer("${Issuer}", "gitlab.com", "${Audience}", "sts.amazonaws.com", "${Subject}", "s",
		"${Arn}", "arn").Replace(read.Resources.Role.Properties.AssumeRolePolicyDocument.Sub[0].Value)
	var policy struct {
		Statement []struct {
			Effect, Action string
			Principal      map[string]string
			Condition      map[string]map[string]string
		}
	}
	if err := json.Unmarshal([]byte(document), &policy); err != nil {
		t.Fatalf("%v: %s", err, document)
	}
	s := policy.Statement[0]
	equals := s.Condition["StringEquals"]
	if len(policy.Statement) != 1 || s.Effect != "Allow" || s.Action != "sts:AssumeRoleWithWebIdentity" ||
		s.Principal["Federated"] != "arn" || len(s.Condition) != 1 || len(equals) != 2 ||
		equals["gitlab.com:aud"] != "sts.amazonaws.com" || equals["gitlab.com:sub"] != "s" {
		t.Errorf("%s", document)
	}
}

// The job of a pull request can make and remove a change set of the test stack, and change nothing by it.
func TestADiffMayOnlyLook(t *testing.T) {
	statements, _ := readPolicy(t, "../ci/diff.json", 6144)
	const stack = "arn:aws:cloudformation:eu-central-1:000000000000:stack/checkout/1a2b"
	for action, want := range map[string]bool{
		"cloudformation:CreateChangeSet": true, "cloudformation:DescribeChangeSet": true,
		"cloudformation:DeleteChangeSet": true, "cloudformation:DescribeStacks": true,
		"cloudformation:ExecuteChangeSet": false, "cloudformation:UpdateStack": false, "cloudformation:DeleteStack": false,
		"cloudformation:CreateStack": false, "cloudformation:SetStackPolicy": false,
	} {
		if template.Allows(statements, action, stack, nil) != want {
			t.Errorf("%s is not %v", action, want)
		}
	}
	for _, s := range statements {
		for _, action := range s.Actions {
			if service, _, _ := strings.Cut(action, ":"); service != "cloudformation" && service != "s3" {
				t.Errorf("it may %s", action)
			}
		}
	}
	if !template.Allows(statements, "s3:PutObject", "arn:aws:s3:::aws-sam-cli-managed-default-1/a", nil) ||
		template.Allows(statements, "s3:GetObject", "arn:aws:s3:::checkout-bucket-1/a", nil) {
		t.Error("it reaches other buckets than that of uploads")
	}
}

// The script asks for a token for AWS, and passes on what it gets for it, masked in the job's log.
func TestCredentialsOfAJob(t *testing.T) {
	folder := t.TempDir()
	scripts := map[string]string{
		"curl": `echo "$@" >>"$LOG"; echo '{"count": 1, "value": "a.b-c"}'`,
		"aws":  `echo "$@" >>"$LOG"; printf 'AKIA1\tsecret/1\tsession+1\n'`,
	}
	for name, script := range scripts {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	log, set := filepath.Join(folder, "log"), filepath.Join(folder, "set")
	run := func(more ...string) (string, error) {
		command := exec.CommandContext(t.Context(), "infra/ci/github-credentials", "arn:aws:iam::1:role/deploy")
		command.Dir = root
		command.Env = append(append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"), "LOG="+log, "GITHUB_ENV="+set,
			"GITHUB_RUN_ID=7", "ACTIONS_ID_TOKEN_REQUEST_TOKEN=request"), more...)
		out, err := command.CombinedOutput()
		return string(out), err
	}
	out, err := run("ACTIONS_ID_TOKEN_REQUEST_URL=https://token.example?a=b")
	if err != nil || out != "::add-mask::a.b-c\n::add-mask::secret/1\n::add-mask::session+1\n" {
		t.Errorf("%v: %s", err, out)
	}
	called, _ := os.ReadFile(log)
	variables, _ := os.ReadFile(set)
	if !strings.Contains(string(called), "bearer request https://token.example?a=b&audience=sts.amazonaws.com\n") ||
		!strings.Contains(string(called), "--role-arn arn:aws:iam::1:role/deploy --role-session-name github-7 ") ||
		!strings.Contains(string(called), "--web-identity-token a.b-c ") || string(variables) !=
		"AWS_ACCESS_KEY_ID=AKIA1\nAWS_SECRET_ACCESS_KEY=secret/1\nAWS_SESSION_TOKEN=session+1\n" {
		t.Errorf("%s\n%s", called, variables)
	}
	if out, err := run("ACTIONS_ID_TOKEN_REQUEST_URL="); err == nil || !strings.Contains(out, "id-token: write") {
		t.Errorf("%v: %s", err, out)
	}
}
