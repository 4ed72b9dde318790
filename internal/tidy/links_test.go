package tidy

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"checkout/internal/app"
)

// sending are the functions that send to a queue.
const sending = "session status capture refund void recurring retry page notify connector callback sweep adminact"

// imports are the packages that only some functions may be built with, and these functions. A package without functions
// is for tests, local runs and operators' commands.
var imports = map[string]string{
	"github.com/aws/aws-sdk-go-v2/service/sqs": sending,
	"checkout/internal/queue":                  sending,
	"checkout/internal/connector/list":         "notify connector",
	"checkout/internal/callback/post":          "callback",
	"code.dny.dev/ssrf":                        "callback",
	"checkout/internal/wallet":                 "connector",
	"github.com/smallstep/pkcs7":               "connector",
	"checkout/internal/wallet/session":         "page",
	"checkout/internal/store/memory":           "",
	"checkout/internal/app":                    "",
	"github.com/aws/aws-sdk-go-v2/config":      "",
	"github.com/aws/aws-sdk-go-v2/service/sts": "",
	"github.com/google/uuid":                   "",
	"github.com/spf13/cobra":                   "",
	"gopkg.in/yaml.v3":                         "",
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
	for name := range app.Functions() {
		found := built["checkout/functions/"+name]
		for path, functions := range imports {
			uses := slices.Contains(strings.Fields(functions), name)
			if isBuilt := slices.Contains(found, path); isBuilt != uses {
				t.Errorf("%s is built with %s: %t; it is one of the functions %q: %t: is it in the right package of "+
					"internal/app?", name, path, isBuilt, functions, uses)
			}
		}
	}
}
