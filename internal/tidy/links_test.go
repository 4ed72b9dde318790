package tidy

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"checkout/internal/app"
	"checkout/internal/app/function"
)

// imports are the packages that only some functions may be built with, and the parts that these are given. A package
// without parts is for tests, local runs and operators' commands.
var imports = map[string][]string{
	"github.com/aws/aws-sdk-go-v2/service/sqs": {"job queues", "callback queues"},
	"checkout/internal/queue":                  {"job queues", "callback queues"},
	"checkout/internal/connector/list":         {"connectors"},
	"checkout/internal/callback/post":          {"sender of callbacks"},
	"code.dny.dev/ssrf":                        {"sender of callbacks"},
	"checkout/internal/wallet":                 {"opener of wallets' tokens"},
	"github.com/smallstep/pkcs7":               {"opener of wallets' tokens"},
	"checkout/internal/wallet/session":         {"merchant sessions of Apple Pay"},
	"checkout/internal/store/memory":           nil,
	"checkout/internal/app":                    nil,
	"github.com/aws/aws-sdk-go-v2/config":      nil,
	"github.com/aws/aws-sdk-go-v2/service/sts": nil,
	"github.com/google/uuid":                   nil,
	"github.com/spf13/cobra":                   nil,
	"gopkg.in/yaml.v3":                         nil,
}

// TestFunctionsAreBuiltWithWhatTheyUse compares imports with the packages that the compiler builds each binary of.
func TestFunctionsAreBuiltWithWhatTheyUse(t *testing.T) {
	list := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Deps " "}}`, "./functions/...")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	built := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		packages := strings.Fields(line)
		built[packages[0]] = packages
	}
	for name, f := range app.Functions() {
		found := built["checkout/functions/"+name]
		for path, parts := range imports {
			isGiven := slices.ContainsFunc(f.Parts, func(p *function.Part) bool { return slices.Contains(parts, p.Name) })
			if isBuilt := slices.Contains(found, path); isBuilt != isGiven {
				t.Errorf("%s is built with %s: %t; it is given one of the parts %q: %t: is it in the right package of "+
					"internal/app?", name, path, isBuilt, parts, isGiven)
			}
		}
	}
}
