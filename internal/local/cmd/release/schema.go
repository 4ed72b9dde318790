package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas is the folder of CycloneDX's schemas.
type schemas string

// findSchemas finds the schemas that come with CycloneDX's library.
func findSchemas(ctx context.Context) (schemas, error) {
	list := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/CycloneDX/cyclonedx-go")
	out, err := list.Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w", err)
	}
	return schemas(filepath.Join(strings.TrimSpace(string(out)), "schema")), nil
}

// Load implements jsonschema.URLLoader.
func (s schemas) Load(url string) (any, error) {
	name := path.Base(url)
	if strings.HasPrefix(name, "jsf-") {
		name = strings.Replace(name, ".schema.", ".schemax.", 1) // as the library calls it
	}
	text, err := os.ReadFile(filepath.Join(string(s), name))
	if err != nil {
		return nil, err
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(text))
}

// check checks a bill of materials.
func (s schemas) check(bill []byte) error {
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(s)
	compiler.AssertFormat()
	schema, err := compiler.Compile("http://cyclonedx.org/schema/bom-1.6.schema.json")
	if err != nil {
		return err
	}
	read, err := jsonschema.UnmarshalJSON(bytes.NewReader(bill))
	if err != nil {
		return err
	}
	return schema.Validate(read)
}
