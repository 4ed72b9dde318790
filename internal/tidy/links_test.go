package tidy

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// withQueues are the functions that send messages.
const withQueues = "callback capture connector notify page recurring refund retry session sweep void"

// imports are the packages that only some functions may be built with, and these functions. A package without
// functions is for tests, local runs and operators' commands.
var imports = map[string]string{
	"github.com/aws/aws-sdk-go-v2/service/sqs": withQueues,
	"checkout/internal/queue":                  withQueues,
	"checkout/internal/connector/list":         "connector notify",
	"checkout/internal/callback/post":          "callback",
	"code.dny.dev/ssrf":                        "callback",
	"checkout/internal/store/memory":           "",
	"checkout/internal/app":                    "",
	"github.com/aws/aws-sdk-go-v2/config":      "",
	"github.com/aws/aws-sdk-go-v2/service/sts": "",
	"github.com/google/uuid":                   "",
	"gopkg.in/yaml.v3":                         "",
}

// TestFunctionsAreBuiltWithWhatTheyUse compares imports with the packages that the compiler builds each binary of.
func TestFunctionsAreBuiltWithWhatTheyUse(t *testing.T) {
	found := map[string][]string{}
	for _, name := range folders(t, filepath.Join(root, "functions")) {
		list := exec.Command("go", "list", "-deps", "./functions/"+name)
		list.Dir = root
		out, err := list.Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		for _, path := range strings.Fields(string(out)) {
			found[path] = append(found[path], name)
		}
	}
	for path, functions := range imports {
		if !slices.Equal(found[path], strings.Fields(functions)) {
			t.Errorf("%s is built into %v, should be into %q", path, found[path], functions)
		}
	}
}
