package stack

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	records "checkout/internal/store"
)

// fakeCommands puts aws and sam on PATH, which log how they are called. The output of aws is that of a script.
func fakeCommands(t *testing.T, aws string) (env []string, called func() string) {
	t.Helper()
	folder := t.TempDir()
	log := filepath.Join(folder, "log")
	scripts := map[string]string{"aws": aws, "sam": "echo Changeset arn:aws:cloudformation:eu-central-1:1:changeSet/x/1"}
	for name, script := range scripts {
		text := "#!/bin/sh\nprintf '%s\\n' \"" + name + " $*\" >>" + log + "\n" + script + "\n"
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	built, err := os.ReadFile(filepath.Join(root, "template.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "template.yaml"), built, 0o600); err != nil {
		t.Fatal(err)
	}
	return append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"), "SAM=sam", "BUILD="+folder), func() string {
		text, err := os.ReadFile(log)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return string(text)
	}
}

func deployTool(t *testing.T, env []string, args ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "infra/tools/deploy", args...)
	command.Dir, command.Env = root, env
	out, err := command.CombinedOutput()
	return string(out), err
}

const noStack = `case "$*" in *describe-stacks*) exit 255;; *get-caller-identity*) echo 123456789012;; esac`

func TestWhatStopsADeployment(t *testing.T) {
	wrong := filepath.Join(t.TempDir(), "wrong.json")
	if err := os.WriteFile(wrong, []byte(`{"DomainName": "pay.example.com"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ aws, stack, region, config, want string }{
		{noStack, "checkout", "eu-central-1", "infra/deploy.json", "stack checkout in eu-central-1 of account 123456789012"},
		{noStack, "my_stack", "eu-central-1", "infra/deploy.json", "STACK should be"},
		{noStack, strings.Repeat("s", 41), "eu-central-1", "infra/deploy.json", "at most 40"}, // CloudFront limits names
		{noStack, "checkout", "Frankfurt", "infra/deploy.json", "REGION is no Region"},
		{noStack, "checkout", "eu-central-1", wrong, "DomainName needs CertificateArn"},
		{noStack, "checkout", "eu-central-1", "nothing.json", "no such file"},
		{"exit 1", "checkout", "eu-central-1", "infra/deploy.json", "no AWS credentials"},
		{"echo ROLLBACK_COMPLETE", "checkout", "eu-central-1", "infra/deploy.json",
			"the first deployment of checkout failed"},
		{"echo REVIEW_IN_PROGRESS", "checkout", "eu-central-1", "infra/deploy.json", "stack checkout in eu-central-1"},
		{"echo UPDATE_IN_PROGRESS", "checkout", "eu-central-1", "infra/deploy.json", "is being changed"},
	} {
		env, _ := fakeCommands(t, c.aws)
		out, err := deployTool(t, env, "check", c.stack, c.region, c.config)
		if !strings.Contains(out, c.want) || (err == nil) != strings.HasPrefix(c.want, "stack ") {
			t.Errorf("%v: %v\n%s", c, err, out)
		}
	}
}

// A deployment is not interactive, and sets every parameter, so that one that was removed from the file has its default
// again.
func TestADeploymentAsksNothing(t *testing.T) {
	env, called := fakeCommands(t, noStack)
	if out, err := deployTool(t, env, "stack", "checkout", "eu-central-1", "infra/deploy.json"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"sam deploy --stack-name checkout --region eu-central-1", "--no-confirm-changeset", "--no-fail-on-empty-changeset",
		"--capabilities CAPABILITY_IAM CAPABILITY_AUTO_EXPAND",
		`DomainName=""`, `LogRetentionDays="400"`, `PaymentRetentionDays="0"`, `Canary="true"`,
	} {
		if !strings.Contains(called(), want) {
			t.Errorf("no %s in %s", want, called())
		}
	}
	if strings.Contains(called(), "--guided") {
		t.Errorf("%s", called())
	}
	_, after, _ := strings.Cut(called(), "--template-file ")
	file, _, _ := strings.Cut(after, " ")
	if text, err := os.ReadFile(file); err != nil || strings.Count(string(text), "Description: variables-") != 1 ||
		strings.Contains(string(text), "variables-0\n") {
		t.Errorf("%v: %s has no sum of the functions' variables", err, file)
	}
}

// A release is deployed without Go and Node: it brings the program that reads the parameters. One that was changed is
// not.
func TestAReleaseIsDeployedWithoutGo(t *testing.T) {
	env, called := fakeCommands(t, noStack)
	commands, _, _ := strings.Cut(strings.TrimPrefix(env[len(env)-3], "PATH="), ":")
	folder := t.TempDir()
	tool, err := os.ReadFile(filepath.Join(root, "infra/tools/deploy"))
	if err != nil {
		t.Fatal(err)
	}
	const reads = "#!/bin/sh\n" + `case "$1" in -variables) echo variables-1;; *) echo 'DomainName=""';; esac` + "\n"
	const template = "Description: variables-0\n"
	files := map[string]string{"infra/tools/deploy": string(tool), "template.yaml": template,
		"SHA256SUMS": fmt.Sprintf("%x  template.yaml\n", sha256.Sum256([]byte(template)))}
	for _, system := range []string{"darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64"} {
		files["bin/"+system+"/parameters"] = reads
	}
	for name, text := range files {
		file := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	for _, absent := range []string{"go", "node", "npm"} {
		file := filepath.Join(commands, absent)
		if err := os.WriteFile(file, []byte("#!/bin/sh\nexit 127\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	deploy := func(step string) (string, error) {
		command := exec.CommandContext(t.Context(), "infra/tools/deploy", step, "checkout", "eu-central-1", "deploy.json")
		command.Dir, command.Env = folder, env
		out, err := command.CombinedOutput()
		return string(out), err
	}
	for _, step := range []string{"check", "stack"} {
		if out, err := deploy(step); err != nil {
			t.Errorf("%s: %v\n%s", step, err, out)
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "released.yaml"))
	if err != nil || string(text) != "Description: variables-1\n" ||
		!strings.Contains(called(), "--template-file ./released.yaml") {
		t.Errorf("%v: %q\n%s", err, text, called())
	}
	if err := os.WriteFile(filepath.Join(folder, "template.yaml"), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := deploy("check"); err == nil || !strings.Contains(out, "is not what was released") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Until its page is uploaded, the new stack has index.html in the place of each page that the old one does not have.
func TestPagesAreThereBeforeTheStack(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"index.html", "de.html", "fr.html"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const there = `case "$*" in *describe-stacks*) echo pages;; *"--key fr.html"*) exit 254;;`
	const cp = "aws s3 cp s3://pages/index.html s3://pages/fr.html --region eu-central-1\n"
	for aws, want := range map[string]bool{there + " esac": true, there + ` *"--key index.html"*) exit 254;; esac`: false,
		noStack: false} {
		env, called := fakeCommands(t, aws)
		out, err := deployTool(t, append(env, "PAGES="+folder), "stack", "checkout", "eu-central-1", "infra/deploy.json")
		before, _, deployed := strings.Cut(called(), "sam deploy")
		if err != nil || !deployed || strings.Contains(before, cp) != want || want != strings.Contains(before, "s3 cp") ||
			strings.Count(before, "s3 cp") > 1 {
			t.Errorf("%v\n%s\n%s", err, out, before)
		}
	}
}

// A change set is shown and removed, and so is a stack that has nothing else.
func TestADiffLeavesNothing(t *testing.T) {
	env, called := fakeCommands(t, `case "$*" in *describe-stacks*) echo REVIEW_IN_PROGRESS;; esac`)
	out, err := deployTool(t, env, "diff", "checkout", "eu-central-1", "infra/deploy.json")
	if err != nil || !strings.Contains(out, "nothing was changed") {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"--no-execute-changeset",
		"delete-change-set --change-set-name arn:aws:cloudformation:eu-central-1:1:changeSet/x/1",
		"delete-stack --stack-name checkout"} {
		if !strings.Contains(called(), want) {
			t.Errorf("no %s in %s", want, called())
		}
	}
}

// The stack is removed only if its name is confirmed, and the output names what will stay.
func TestUndeploySaysWhatStays(t *testing.T) {
	const aws = `case "$*" in
*LogBucketArn*) echo arn:aws:s3:::checkout-logbucket;;
*AuditBucketName*) echo checkout-auditbucket;;
*describe-stacks*) echo UPDATE_COMPLETE;;
*describe-stack-resources*) exit 1;; # it lists 100 resources at most
*AWS::DynamoDB::Table\'*LogicalResourceId!=\'VaultTable\'\ *LogicalResourceId!=\'Listing\'*) echo checkout-Table-1;;
*AWS::DynamoDB::Table*) printf 'checkout-Table-1\tcheckout-VaultTable-1\tcheckout-Listing-1\n';;
*AWS::KMS::Key\'*LogicalResourceId!=\'AlarmKey\'*) printf 'key-1\tkey-2\n';;
*AWS::S3::Bucket\'*LogicalResourceId!=\'LogBucket\'\ *LogicalResourceId!=\'AuditBucket\'*)
	printf 'checkout-bucket\tcheckout-walletbucket\n';;
*AWS::Logs::LogGroup*) echo checkout-SweepLog-1;;
*list-object-versions*)
	if [ -e "$0.$4.emptied" ]; then echo '{"Objects": []}'
	else echo '{"Objects": [{"Key": "index.html", "VersionId": "1"}]}'; fi;;
*delete-objects*) touch "$0.$4.emptied";;
esac`
	const stays = "checkout-Table-1 key-1 key-2 checkout-SweepLog-1 arn:aws:s3:::checkout-logbucket checkout-auditbucket"
	env, called := fakeCommands(t, aws)
	out, err := deployTool(t, env, "undeploy", "checkout", "eu-central-1", "")
	if err == nil || !strings.Contains(out, stays) ||
		!strings.Contains(out, "CONFIRM=checkout") || strings.Contains(called(), "delete") {
		t.Errorf("%v\n%s\n%s", err, out, called())
	}
	out, err = deployTool(t, env, "undeploy", "checkout", "eu-central-1", "checkout")
	if err != nil || !strings.Contains(out, "is gone") || strings.Count(called(), "delete-objects") != 2 ||
		!strings.Contains(called(), "delete-stack --region us-east-1 --stack-name checkout-eu-central-1-edge") ||
		!strings.Contains(called(), "delete-stack --stack-name checkout --region eu-central-1") ||
		strings.Contains(called(), "delete-log-group") {
		t.Errorf("%v\n%s\n%s", err, out, called())
	}
}

// uploadPage runs infra/tools/upload-page in a folder with a built page and this index.html of the frame.
func uploadPage(t *testing.T, env []string, frame string) (string, error) {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{"dist/index.html": "the page", "dist/de.html": "die Seite",
		"dist/main-ABC.js":       "1",
		"dist-wallet/index.html": frame, "dist-wallet/frame-ABC.js": "2", "release.json": releaseDocument + "\n",
		"dist/.well-known/apple-developer-merchantid-domain-association": "7B22"} {
		file := filepath.Join(folder, "infra", "page", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tool, err := filepath.Abs(filepath.Join(root, "infra", "tools", "upload-page"))
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), tool, "checkout", "eu-central-1")
	command.Dir, command.Env = folder, env
	out, err := command.CombinedOutput()
	return string(out), err
}

// outputs are those of a stack. What is uploaded from standard input is printed.
const outputs = `case "$*" in
*"'TableName'"*) echo checkout-Table-1;;
*"'BaseUrl'"*) echo https://pay.example;;
*"'WalletUrl'"*) echo https://wallet.example;;
*"'BucketName'"*) echo pages;;
*"'WalletBucketName'"*) echo frames;;
*"'DistributionId'"*) echo E1;;
*"'WalletDistributionId'"*) echo E2;;
*describe-stacks*) echo None;;
"s3 cp - "*) cat;;
esac`

const frame = `<html data-page="{PAGE_ORIGIN}">`

const releaseDocument = `{"version":"v1","page":{"index":{"name":"a \"b\" \\c"}}}`

// No page names a file that is not there yet, and the frame comes before the page that shows it. Both come after the
// record of the release that has them. The frame is told the page's origin, and its files come into no bucket of the
// page's.
func TestThePageAndTheFrameAreUploaded(t *testing.T) {
	env, called := fakeCommands(t, outputs)
	out, err := uploadPage(t, env, frame)
	if err != nil || !strings.Contains(out, `<html data-page="https://pay.example">`) ||
		!strings.Contains(out, "deployed: https://pay.example, and the frame of Google Pay: https://wallet.example") {
		t.Errorf("%v\n%s", err, out)
	}
	const region, cached = " --region eu-central-1", " --cache-control public, max-age=31536000, immutable"
	const association = ".well-known/apple-developer-merchantid-domain-association"
	rest := called()
	for _, want := range []string{
		"s3 sync infra/page/dist-wallet s3://frames" + region + " --exclude *.html" + cached + "\n",
		"s3 sync infra/page/dist s3://pages" + region + " --exclude *.html" + cached +
			" --exclude logos/* --exclude .well-known/*\n",
		"s3 sync infra/page/dist/logos s3://pages/logos" + region + " --exclude * --include *.svg",
		"s3 cp infra/page/dist/" + association + " s3://pages/" + association + region + " --content-type text/plain",
		"dynamodb put-item" + region + " --table-name checkout-Table-1 --item {",
		"s3 cp - s3://frames/index.html" + region + " --content-type text/html --cache-control no-cache\n",
		"s3 cp infra/page/dist/de.html s3://pages/de.html" + region + " --cache-control no-cache\n",
		"s3 cp infra/page/dist/index.html s3://pages/index.html" + region + " --cache-control no-cache\n",
		"cloudfront create-invalidation --distribution-id E2 --paths / /index.html\n",
		"cloudfront create-invalidation --distribution-id E1 --paths / /de.html /index.html /logos/* /.well-known/*\n",
	} {
		_, after, found := strings.Cut(rest, "aws "+want)
		if !found {
			t.Fatalf("no %s in\n%s", want, rest)
		}
		rest = after
	}
	all := called()
	if strings.Count(all, "s3://frames") != 2 {
		t.Errorf("more is in the frame's bucket than the frame:\n%s", all)
	}
	_, item, _ := strings.Cut(all, "--item ")
	item, _, _ = strings.Cut(item, "\n")
	var record map[string]map[string]string
	if err := json.Unmarshal([]byte(item), &record); err != nil {
		t.Fatalf("%v: %s", err, item)
	}
	key := records.Key{Partition: record["pk"]["S"], Sort: record["sk"]["S"]}
	if at := records.PageReleaseTime(key); time.Since(at).Abs() > time.Hour || record["doc"]["S"] != releaseDocument ||
		record["v"]["N"] != "1" || record["w"]["S"] == "" || key.Partition != records.PageReleases(1).Partition {
		t.Errorf("the release of %s: %v", at, record)
	}
}

// Where people sign in to the admin page, its files come into a bucket of its own, the page after what it names.
func TestTheAdminPageIsUploaded(t *testing.T) {
	env, called := fakeCommands(t, strings.Replace(outputs, "*describe-stacks*)", `*"'AdminBucketName'"*) echo admins;;
*"'AdminDistributionId'"*) echo E3;;
*describe-stacks*)`, 1))
	if out, err := uploadPage(t, env, frame); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const region, cached = " --region eu-central-1", " --cache-control public, max-age=31536000, immutable"
	rest := called()
	for _, want := range []string{
		"s3 sync infra/page/dist-admin s3://admins" + region + " --exclude *.html" + cached + "\n",
		"s3 cp infra/page/dist-admin/index.html s3://admins/index.html" + region + " --cache-control no-cache\n",
		"cloudfront create-invalidation --distribution-id E3 --paths / /index.html\n",
	} {
		_, after, found := strings.Cut(rest, "aws "+want)
		if !found {
			t.Fatalf("no %s in\n%s", want, rest)
		}
		rest = after
	}
}

// Nothing is uploaded for a stack that has no frame yet, or of a frame that could not be told the page's origin.
func TestWhatStopsAnUpload(t *testing.T) {
	before := strings.Replace(outputs, "'WalletBucketName'", "'Other'", 1)
	for _, c := range []struct{ aws, frame, want string }{
		{before, frame, "the stack checkout in eu-central-1 has no output WalletBucketName: make deploy"},
		{"exit 255", frame, "the stack checkout in eu-central-1 has no output TableName: make deploy"},
		{strings.Replace(outputs, "'TableName'", "'Other'", 1), frame, "has no output TableName: make deploy"},
		{outputs, "<html>", "dist-wallet/index.html has no place for the page's origin"},
	} {
		env, called := fakeCommands(t, c.aws)
		out, err := uploadPage(t, env, c.frame)
		if err == nil || !strings.Contains(out, c.want) || strings.Contains(called(), "aws s3 ") {
			t.Errorf("%v\n%s\n%s", err, out, called())
		}
	}
}

// The binary of a function is the same in another commit of the same code, so that it is not deployed again. With other
// code it has another version.
func TestTheSameFunctionFromAnotherCommit(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	_, flags, _ := strings.Cut(string(text), "\nrelease       = ")
	flags, _, _ = strings.Cut(flags, "\n")
	tool, err := filepath.Abs(filepath.Join(root, "infra/tools/version"))
	if err != nil {
		t.Fatal(err)
	}
	folder, version := t.TempDir(), ""
	binary := filepath.Join(folder, "bootstrap")
	do := func(name string, args ...string) string {
		t.Helper()
		command := exec.CommandContext(t.Context(), name, args...)
		command.Dir = folder
		command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="+strings.Replace(flags, "$(version)", version, 1),
			"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CEILING_DIRECTORIES="+filepath.Dir(folder),
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	const main = "package main\n\nimport \"checkout/internal/app/function\"\n\nfunc main() { print(function.Version) }\n"
	write("go.mod", "module checkout\n\ngo 1.21\n")
	write("go.sum", "")
	write("internal/app/function/serve.go", "package function\n\nvar Version = \"dev\"\n")
	write("functions/a/main.go", main)
	if got := do(tool); got != "dev" {
		t.Errorf("without git the version is %s", got)
	}
	do("git", "init", "-q")
	var built [3][]byte
	var versions [3]string
	for i, name := range []string{"functions/a/main.go", "README.md", "functions/a/main.go"} {
		write(name, fmt.Sprintf("%s\n// %d\n", main, i))
		do("git", "add", "go.mod", "go.sum", "internal", name)
		do("git", "commit", "-q", "-m", "a commit")
		version = do(tool)
		do("go", "build", "-trimpath", "-o", binary, "./functions/a")
		if versions[i] = do(binary); versions[i] != version {
			t.Errorf("%s says it is %s", version, versions[i])
		}
		if built[i], err = os.ReadFile(binary); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(built[0], built[1]) || bytes.Equal(built[0], built[2]) || versions[0] == versions[2] {
		t.Errorf("versions %v", versions)
	}
	write("go.mod", "module checkout\n\ngo 1.22\n")
	if got := do(tool); got != version+"-dirty" {
		t.Errorf("with changes that are not committed, the version is %s", got)
	}
}
