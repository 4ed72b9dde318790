package stack

import (
	"os"
	"path/filepath"
	"testing"

	"checkout/internal/local/cloud/template"

	"gopkg.in/yaml.v3"
)

// root is the repository's folder.
const root = "../../.."

// stack reads template.yaml with parameters.
func stack(t *testing.T, parameters map[string]string) (*template.Template, error) {
	t.Helper()
	return template.Read(filepath.Join(root, "template.yaml"), template.Options{
		StackName: "checkout", Region: "eu-central-1", Account: "000000000000",
		Parameters: parameters, QueueURL: func(name string) string { return "http://sqs/" + name },
	})
}

// readTemplate reads template.yaml as the local cloud does, with the default parameters.
func readTemplate(t *testing.T) *template.Template {
	t.Helper()
	read, err := stack(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// parse reads template.yaml into a document.
func parse(t *testing.T, document any) {
	t.Helper()
	parseFile(t, "template.yaml", document)
}

// parseFile reads a template into a document, and returns its text.
func parseFile(t *testing.T, file string, document any) (text string) {
	t.Helper()
	read, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(read, document); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return string(read)
}
