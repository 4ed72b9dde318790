package adapter

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"checkout/internal/page/screen"
	"checkout/internal/reason"
)

var update = flag.Bool("update", false, "rewrite the golden files, and the reasons of infra/adapter.yaml")

var documentPath = filepath.Join("..", "..", "..", "infra", "adapter.yaml")

// readDocument reads infra/adapter.yaml as JSON has it.
func readDocument(t *testing.T) map[string]any {
	t.Helper()
	text, err := os.ReadFile(documentPath)
	if err != nil {
		t.Fatal(err)
	}
	var d map[string]any
	if err := yaml.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	whole, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	read, err := jsonschema.UnmarshalJSON(bytes.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	return read.(map[string]any)
}

// at is the part of a document at a path of members.
func at(t *testing.T, d any, path ...string) any {
	t.Helper()
	for _, name := range path {
		members, _ := d.(map[string]any)
		if d = members[name]; d == nil {
			t.Fatalf("the document has no %s", strings.Join(path, "/"))
		}
	}
	return d
}

// strictly closes the schemas of objects, so that a member that is not documented is found.
func strictly(d any) {
	switch d := d.(type) {
	case map[string]any:
		_, listed := d["properties"]
		if _, said := d["additionalProperties"]; listed && !said && d["type"] == "object" {
			d["additionalProperties"] = false
		}
		for _, part := range d {
			strictly(part)
		}
	case []any:
		for _, part := range d {
			strictly(part)
		}
	}
}

// schemas are the compiled schemas of the document, by their names.
func schemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	d := readDocument(t)
	strictly(d)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("adapter.json", d); err != nil {
		t.Fatal(err)
	}
	all := map[string]*jsonschema.Schema{}
	for name := range at(t, d, "components", "schemas").(map[string]any) {
		schema, err := c.Compile("adapter.json#/components/schemas/" + name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = schema
	}
	return all
}

// schemaOf is the name of the schema of a body's content.
func schemaOf(t *testing.T, content any) string {
	t.Helper()
	ref := at(t, content, "content", "application/json", "schema", "$ref").(string)
	return strings.TrimPrefix(ref, "#/components/schemas/")
}

// TestDocumentIsOpenAPI checks the document by the schema that the OpenAPI Initiative publishes (Apache License 2.0).
func TestDocumentIsOpenAPI(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("testdata", "openapi-3.1.json"))
	if err != nil {
		t.Fatal(err)
	}
	d := readDocument(t)
	if err := schema.Validate(d); err != nil {
		t.Error(err)
	}
	at(t, d, "paths", "/charge", "post").(map[string]any)["requestbody"] = "a slip"
	if schema.Validate(d) == nil {
		t.Error("the schema does not find a slip")
	}
}

// TestReferencesOfTheDocument checks that every $ref is there, and that every operation is described.
func TestReferencesOfTheDocument(t *testing.T) {
	d := readDocument(t)
	found := 0
	var walk func(part any)
	walk = func(part any) {
		switch part := part.(type) {
		case map[string]any:
			if ref, ok := part["$ref"].(string); ok {
				found++
				at(t, d, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
			}
			for _, p := range part {
				walk(p)
			}
		case []any:
			for _, p := range part {
				walk(p)
			}
		}
	}
	walk(d)
	if found < 50 || at(t, d, "openapi") != "3.1.0" {
		t.Errorf("%d references found", found)
	}
	for path, item := range at(t, d, "paths").(map[string]any) {
		post := at(t, item, "post").(map[string]any)
		if "/"+at(t, post, "operationId").(string) != path || post["summary"] == nil || post["description"] == nil {
			t.Errorf("%s is not described", path)
		}
		for _, status := range []string{"200", "400", "401", "429", "500"} {
			at(t, post, "responses", status)
		}
	}
}

// TestExamplesOfTheDocument checks every example by its schema.
func TestExamplesOfTheDocument(t *testing.T) {
	all := schemas(t)
	checked := 0
	var walk func(part any)
	walk = func(part any) {
		content, _ := part.(map[string]any)
		for _, p := range content {
			walk(p)
		}
		if body, ok := content["application/json"].(map[string]any); ok {
			schema := all[schemaOf(t, map[string]any{"content": content})]
			examples, _ := body["examples"].(map[string]any)
			for name, example := range examples {
				checked++
				if err := schema.Validate(at(t, example, "value")); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
	walk(readDocument(t))
	if checked < 14 {
		t.Errorf("%d examples checked", checked)
	}
}

// TestSignatureOfTheDocument signs the example of the document.
func TestSignatureOfTheDocument(t *testing.T) {
	want := sign("simulator-secret", "req_1", "1767225600", `POST /lookup.{"kind":"charge","reference":"r-1"}`)
	text := at(t, readDocument(t), "info", "description").(string)
	if !strings.Contains(text, "webhook-signature: "+want+"`") {
		t.Errorf("the example's signature is %s", want)
	}
}

// TestReasonsOfTheDocument compares its reasons with the service's table.
func TestReasonsOfTheDocument(t *testing.T) {
	var meanings, codes strings.Builder
	for _, row := range reason.All {
		hardness := map[bool]string{true: "soft", false: "hard"}[row.Soft]
		if row.Meaning != "" {
			hardness += ": " + row.Meaning
		}
		fmt.Fprintf(&meanings, "        | %s | %s | %s |\n", row.Code, row.Text, hardness)
		fmt.Fprintf(&codes, "        - %s\n", row.Code)
	}
	text, err := os.ReadFile(documentPath)
	if err != nil {
		t.Fatal(err)
	}
	const mark = "        |---|---|---|\n"
	before, _, found := strings.Cut(string(text), mark)
	whole := before + mark + meanings.String() + "      enum:\n" + codes.String()
	if !found {
		t.Fatal("the document has no place for the reasons")
	}
	if *update {
		if err := os.WriteFile(documentPath, []byte(whole), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if whole != string(text) {
		t.Error("the reasons are not those of reason.All; see the change with -update and git diff")
	}
}

// TestTextsOfTheDocument checks that the values that a required action may have are those that this package and the
// page know.
func TestTextsOfTheDocument(t *testing.T) {
	d := readDocument(t)
	types := at(t, d, "components", "schemas", "Action", "properties", "type", "enum").([]any)
	if len(types) != len(actions) {
		t.Errorf("types %v, read are %v", types, slices.Collect(maps.Keys(actions)))
	}
	for _, name := range types {
		if actions[name.(string)] == "" {
			t.Errorf("the type %s is not read", name)
		}
	}
	known := []screen.Text{
		screen.TextScanQR, screen.TextConfirmInApp, screen.TextTransferDetails, screen.TextVoucherIssued,
		screen.TextOpenLink, screen.TextEnterCode, screen.TextCodeWrong, screen.TextPayElsewhere,
	}
	texts := at(t, d, "components", "schemas", "Action", "properties", "text", "enum").([]any)
	if len(texts) != len(known) {
		t.Errorf("%d texts, known are %v", len(texts), known)
	}
	for _, text := range texts {
		if !slices.Contains(known, screen.Text(text.(string))) {
			t.Errorf("the page has no text %s", text)
		}
	}
}
