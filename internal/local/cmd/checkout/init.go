package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"checkout/internal/local/cloud/template"
	"checkout/internal/local/cost/monthly"
)

const deployFile = "infra/deploy.json"

func initCommand(c *call) *cobra.Command {
	file := deployFile
	cmd := c.command(leaf{
		use: "init", does: "write the parameters of a deployment: asks what has to be decided, and what it will cost",
		example: "init", chooses: true,
		run: func(ctx context.Context, _ []string) error { return c.setUp(ctx, file) },
	})
	cmd.Flags().StringVar(&file, "config", file, "the `FILE` that is written")
	return cmd
}

// setUp asks for the parameters of a deployment and writes them. The file's own are suggested, and the others stay.
func (c *call) setUp(ctx context.Context, file string) error {
	given, err := readParameters(file)
	if err != nil {
		return err
	}
	s := setup{prompt: c.prompt(ctx), given: given,
		stack: cmp.Or(c.file.Stack, "checkout"), region: cmp.Or(c.getenv("AWS_REGION"), c.file.Region, "eu-central-1")}
	if err := s.ask(); err != nil {
		return fmt.Errorf("%w; %s was not written", err, file)
	}
	if err := checkParameters(given); err != nil {
		return fmt.Errorf("%s was not written: %w", file, err)
	}
	if err := writeParameters(file, given); err != nil {
		return err
	}
	config := ""
	if file != deployFile {
		config = " CONFIG=" + file
	}
	_, err = fmt.Fprintf(c.out, "\n%s is written.\n%s%s", file, s.certificates(), s.next(config))
	return err
}

// readParameters reads a file of parameters, if there is one. They have to be those of the template.
func readParameters(file string) (map[string]string, error) {
	given := map[string]string{}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &given)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s should be a JSON object of texts; mend it or move it away: %w", file, err)
	}
	if given == nil { // the file has null
		given = map[string]string{}
	}
	if err := checkParameters(given); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return given, nil
}

// checkParameters checks parameters as CloudFormation will.
func checkParameters(given map[string]string) error {
	_, err := template.Read("template.yaml", template.Options{
		Parameters: given, StackName: "checkout", Region: "eu-central-1", Account: "000000000000",
		QueueURL: func(name string) string { return name },
	})
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("there is no template.yaml here: run it in the folder of the repository or of a release")
	}
	return err
}

// writeParameters replaces the file at once, so that it is never half written.
func writeParameters(file string, given map[string]string) error {
	text, err := json.MarshalIndent(given, "", "  ")
	if err != nil {
		return err
	}
	whole, err := os.CreateTemp(filepath.Dir(file), ".deploy-*.json")
	if err != nil {
		return err
	}
	_, err = whole.Write(append(text, '\n'))
	err = errors.Join(err, whole.Chmod(0o644), whole.Close())
	if err == nil {
		err = os.Rename(whole.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(whole.Name()))
	}
	return nil
}

// setup is what is decided about a deployment.
type setup struct {
	*prompt
	given map[string]string // parameters

	stack, region string // suggested, then chosen
	awaits        string // the domain that has no certificate yet
}

var (
	stackName   = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9-]{0,27}$`)
	regionName  = regexp.MustCompile(`^[a-z]{2}(-[a-z]+)+-[0-9]$`)
	domainName  = regexp.MustCompile(`^$|^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.])+[a-z]{2,63}$`)
	certificate = regexp.MustCompile(`^$|^arn:aws[a-z-]*:acm:us-east-1:[0-9]{12}:certificate/[0-9a-f-]{36}$`)
	address     = regexp.MustCompile(`^$|^[^@ "\\]+@[^@ "\\]+$`)
)

// ask asks for everything, and changes the parameters.
func (s *setup) ask() error {
	s.print("Enter takes what is in brackets. Nothing is written before the last answer.\n")
	s.stack = s.reply("What is the stack called?", s.stack, stackName,
		"letters, digits and -, at most 28, a letter first")
	s.region = s.reply("In which Region of AWS is it, near most payers?", s.region, regionName,
		"the name of a Region, such as eu-central-1")
	domain := s.reply("At which domain will payers pay, such as pay.example.com? A first look needs none.",
		s.given["DomainName"], domainName, "a domain, such as pay.example.com, or none")
	arn := ""
	if domain != "" {
		known := ""
		if domain == s.given["DomainName"] {
			known = s.given["CertificateArn"]
		}
		arn = s.reply("Which ARN has its certificate in us-east-1? If there is none yet, you are told how to get one.",
			known, certificate, "arn:aws:acm:us-east-1:ACCOUNT:certificate/ID, or none; CloudFront takes no other Region's")
	}
	if domain != "" && arn == "" {
		s.awaits, domain = domain, ""
		if before := s.given["DomainName"]; before != s.awaits {
			domain, arn = before, s.given["CertificateArn"] // which payers use until then
		}
	}
	mail := s.reply("Which e-mail address should get alarms?", s.given["AlarmEmail"], address,
		"one e-mail address, or none")
	s.size()
	maps.Copy(s.given, map[string]string{"DomainName": domain, "CertificateArn": arn, "AlarmEmail": mail})
	return s.err
}

// size asks for the size, with what each costs. A parameter that no size has set so stays.
func (s *setup) size() {
	var names []string
	suggested := ""
	for _, size := range monthly.Sizes {
		names = append(names, size.Name)
		if suggested == "" && len(size.Parameters) > 0 && s.has(size.Parameters) {
			suggested = size.Name
		}
	}
	if s.err == nil {
		s.print("How large is it? By AWS's list prices, without providers' fees:\n%s", monthly.Table())
	}
	chosen := s.reply("Size", cmp.Or(suggested, "small"), regexp.MustCompile("^("+strings.Join(names, "|")+")$"),
		"one of "+strings.Join(names, ", "))
	if s.err != nil {
		return
	}
	for _, other := range monthly.Sizes {
		if s.has(other.Parameters) {
			maps.DeleteFunc(s.given, func(name, _ string) bool { return other.Parameters[name] != "" })
		}
	}
	maps.Copy(s.given, monthly.Sizes[slices.Index(names, chosen)].Parameters)
}

// has reports whether parameters are all among those that are given.
func (s *setup) has(parameters map[string]string) bool {
	for name, value := range parameters {
		if s.given[name] != value {
			return false
		}
	}
	return true
}

// certificates says what to do about the domain.
func (s *setup) certificates() string {
	switch domain := s.given["DomainName"]; {
	case s.awaits != "":
		return fmt.Sprintf(withoutCertificate, s.awaits, cmp.Or(domain, "an address of CloudFront's, for a first look"))
	case domain != "":
		return fmt.Sprintf(withCertificate, domain, s.stack, s.region)
	}
	return "Without a domain the stack has an address of CloudFront's, which is not for production.\n"
}

const (
	withoutCertificate = `
%[1]s is not in it yet, since browsers trust a domain only with a certificate.
AWS makes one without charge, and renews it:
  1. aws acm request-certificate --region us-east-1 --validation-method DNS --domain-name %[1]s
     prints its ARN. It has to be in us-east-1, wherever the stack is.
  2. aws acm describe-certificate --region us-east-1 --query Certificate.DomainValidationOptions --certificate-arn ARN
     prints a CNAME record. Add it where the domain is managed, and leave it there: renewals need it.
  3. When the certificate's status is ISSUED, mostly after some minutes, run checkout init again and give the ARN.
Until then the stack is at %[2]s.
`
	withCertificate = `
After the deployment, point %[1]s to CloudFront where the domain is managed,
by a CNAME record with the domain that this prints:
  id=$(aws cloudformation describe-stack-resource --stack-name %[2]s --region %[3]s \
    --logical-resource-id Distribution --query StackResourceDetail.PhysicalResourceId --output text)
  aws cloudfront get-distribution --query Distribution.DomainName --output text --id $id
`
)

// next says how to deploy.
func (s *setup) next(config string) string {
	stack := fmt.Sprintf("STACK=%s REGION=%s", s.stack, s.region)
	return fmt.Sprintf(`
Next, with the AWS CLI and its credentials (aws configure):
  make diff %[1]s%[2]s    # what would change; changes nothing
  make deploy %[1]s%[2]s
  make smoke %[1]s    # whether it works
`, stack, config)
}

// prompt asks a person, line by line, until the first error.
type prompt struct {
	ctx   context.Context
	lines <-chan string
	print func(format string, args ...any)
	err   error
}

// prompt begins to read lines. Reading can't be interrupted, so that it has a goroutine of its own.
func (c *call) prompt(ctx context.Context) *prompt {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for in := bufio.NewScanner(c.in); in.Scan(); {
			select {
			case lines <- in.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return &prompt{ctx: ctx, lines: lines,
		print: func(format string, args ...any) { fmt.Fprintf(c.notes, format, args...) }}
}

// reply asks until a reply fits, in small letters where only these do. An empty line means the suggestion, and none or
// no an empty value.
func (p *prompt) reply(text, suggested string, fits *regexp.Regexp, wanted string) string {
	for p.err == nil {
		p.print("%s [%s] ", text, cmp.Or(suggested, "none"))
		select {
		case <-p.ctx.Done():
			p.print("\n")
			p.err = errNo
		case line, ok := <-p.lines:
			if !ok {
				p.print("\n")
				p.err = misusef("there was no reply")
				break
			}
			value := cmp.Or(strings.TrimSpace(line), suggested)
			small := strings.ToLower(value)
			if small == "none" || small == "no" {
				value, small = "", ""
			}
			if fits.MatchString(value) {
				return value
			}
			if fits.MatchString(small) {
				return small
			}
			p.print("It should be %s.\n", wanted)
		}
	}
	return ""
}
