package table_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"checkout/internal/settings"
	"checkout/internal/settings/table"
)

var update = flag.Bool("update", false, "rewrite the parts of documents that are made of rows")

// The operators' document and the document of their API have each setting as its row says.
func TestDocumentsHaveTheRows(t *testing.T) {
	part(t, "../../../infra/merchants.md", "<!-- The tables below are made of internal/settings/table. -->\n", "",
		tables())
	part(t, "../../../infra/admin.yaml", "    # Settings: made of internal/settings/table.\n", "    # End of settings.\n",
		schemas())
}

// part compares what stands between two lines of a file with a text, or writes it there.
func part(t *testing.T, file, begin, end, want string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	got, after := rest, ""
	if end != "" {
		got, after, _ = strings.Cut(rest, end)
	}
	switch {
	case !found:
		t.Fatalf("%s has no line %s", file, begin)
	case *update:
		if err := os.WriteFile(file, []byte(before+begin+want+end+after), 0o600); err != nil {
			t.Fatal(err)
		}
	case got != want:
		t.Errorf("%s differs from the rows; see the change with -update and git diff", file)
	}
}

// tables returns a table for each object that has settings. Those of forms and MIDs are as those of the merchant.
func tables() string {
	rows, objects := map[string]string{}, []string{}
	for _, row := range table.Rows() {
		of, name := parent(row.Path)
		if strings.HasPrefix(of, "forms[].branding") || strings.HasPrefix(of, "mappings[].mids[].wallets") {
			continue
		}
		if rows[of] == "" {
			objects = append(objects, of)
		}
		rows[of] += fmt.Sprintf("| `%s` | %s | %s |\n", name, strings.TrimSpace(row.Label+". "+row.Help), values(row))
	}
	var text strings.Builder
	for _, of := range objects {
		title := "`" + of + "`"
		if of == "" {
			title = "A merchant"
		}
		fmt.Fprintf(&text, "\n%s\n\n| Setting | What it is | Values |\n|---|---|---|\n%s", title, rows[of])
	}
	return text.String()
}

// parent returns the path of the object that a setting is a member of, and the member's name.
func parent(path string) (of, name string) {
	i := strings.LastIndexByte(strings.TrimSuffix(path, "{}"), '.')
	return path[:max(i, 0)], path[i+1:]
}

// values says what values a setting can have.
func values(row table.Row) string {
	words := []string{map[table.Kind]string{
		table.Text: "text", table.Address: "address", table.Amount: "decimal text", table.Colour: "colour",
		table.File: "PEM text", table.Time: "time", table.Number: fmt.Sprintf("0 to %d", row.Most), table.Switch: "switch",
		table.Texts: "list", table.Map: "texts by name", table.Group: "object", table.Items: "list of objects",
		table.Credentials: "texts by name", table.Presets: "texts by method and parameter", table.Choice: "one of ",
		table.Choices: "list of ",
	}[row.Kind]}
	if len(row.Choices) > 0 {
		words[0] += "`" + strings.Join(row.Choices, "`, `") + "`"
	} else if row.Kind == table.Choice || row.Kind == table.Choices {
		words[0] += "the " + string(row.From)
	}
	for _, one := range []struct {
		is   bool
		word string
	}{
		{row.Required, "required"}, {row.Secret, "secret"}, {row.Set, "set by the service"},
		{row.Default != "", "default: " + row.Default},
	} {
		if one.is {
			words = append(words, one.word)
		}
	}
	return strings.Join(words, "; ")
}

// schemas returns the schema of settings without secrets, as they are shown.
func schemas() string {
	var text bytes.Buffer
	schema(&text, "    ", "Settings", "", "What an operator has set for a merchant, without secrets.")
	for _, of := range []struct{ name, path, help string }{
		{"Mapping", "mappings[]", ""}, {"MID", "mappings[].mids[]", ""}, {"PreRoute", "mappings[].pre_routing[]", ""},
		{"Schedule", "schedules[]", ""}, {"Form", "forms[]", ""}, {"Branding", "branding", ""}, {"Wallets", "wallets", ""},
	} {
		schema(&text, "    ", "Settings"+of.name, of.path, of.help)
	}
	return text.String()
}

// references are the schemas that others name.
var references = map[string]string{
	"mappings": "SettingsMapping", "mappings[].mids": "SettingsMID", "mappings[].pre_routing": "SettingsPreRoute",
	"schedules": "SettingsSchedule", "forms": "SettingsForm", "branding": "SettingsBranding",
	"forms[].branding": "SettingsBranding", "wallets": "SettingsWallets", "mappings[].mids[].wallets": "SettingsWallets",
}

// schema writes the schema of an object, and of those in it that no reference names.
func schema(text *bytes.Buffer, indent, name, path, help string) {
	fmt.Fprintf(text, "%s%s:\n%s  type: object\n", indent, name, indent)
	if help != "" {
		fmt.Fprintf(text, "%s  description: %s\n", indent, quoted(help))
	}
	fmt.Fprintf(text, "%s  properties:\n", indent)
	for _, row := range table.Rows() {
		if of, name := parent(row.Path); of == path && !row.Secret && !strings.HasSuffix(row.Path, "{}") {
			property(text, indent+"    ", name, row)
		}
	}
}

func property(text *bytes.Buffer, indent, name string, row table.Row) {
	help := strings.TrimSpace(row.Label + ". " + row.Help)
	if row.Default != "" {
		help += " Default: " + row.Default + "."
	}
	inline := func(format string, values ...any) {
		fmt.Fprintf(text, "%s%s: { description: %s, %s }\n", indent, name, quoted(help), fmt.Sprintf(format, values...))
	}
	object := strings.TrimSuffix(row.Path, "[]")
	switch {
	case references[object] != "" && row.Kind == table.Items:
		inline("type: array, items: { $ref: '#/components/schemas/%s' }", references[object])
	case references[object] != "":
		fmt.Fprintf(text, "%s%s: { $ref: '#/components/schemas/%s' }\n", indent, name, references[object])
	case row.Kind == table.Items:
		fmt.Fprintf(text, "%s%s:\n%s  description: %s\n%s  type: array\n", indent, name, indent, quoted(help), indent)
		schema(text, indent+"  ", "items", row.Path+"[]", "")
	case row.Path == "mappings[].compatibility":
		inline("type: object, additionalProperties: { type: string }")
	case row.Kind == table.Group:
		schema(text, indent, name, row.Path, help)
	case row.Kind == table.Number:
		inline("type: integer, minimum: 0, maximum: %d", row.Most)
	case row.Kind == table.Switch:
		inline("type: boolean")
	case row.Kind == table.Time:
		inline("type: string, format: date-time")
	case row.Kind == table.Choice && len(row.Choices) > 0:
		inline("type: string, enum: [%s]", strings.Join(append([]string{"''"}, row.Choices...), ", "))
	case row.Kind == table.Texts || row.Kind == table.Choices:
		inline("type: array, items: { type: string }")
	case row.Kind == table.Presets || row.Path == "forms[].labels":
		inline("type: object, additionalProperties: { type: object, additionalProperties: { type: string } }")
	case row.Kind == table.Map || row.Kind == table.Credentials:
		inline("type: object, additionalProperties: { type: string }")
	default:
		inline("type: string")
	}
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// What is shown has no secret.
func TestNothingSecretIsShown(t *testing.T) {
	m := settings.Merchant{
		Password: "secret", CallbackSecret: "secret",
		Wallets: settings.Wallets{
			ApplePay: &settings.ApplePay{
				IdentityKey: "secret", Processing: []settings.ProcessingCertificate{{Key: "secret"}},
			},
			GooglePay: &settings.GooglePay{PrivateKeys: []string{"secret"}},
		},
	}
	m.Mappings = []settings.Mapping{{MIDs: []settings.MID{{Wallets: m.Clone().Wallets}}}}
	secrets := func(m *settings.Merchant) (paths []string) {
		for p := range table.All(m) {
			if p.Row.Secret && !p.Value.IsZero() {
				paths = append(paths, p.Path)
			}
		}
		return paths
	}
	if got := secrets(&m); len(got) != 8 {
		t.Fatalf("there are %d secrets: %q", len(got), got)
	}
	m.TakeSecrets()
	if got := secrets(&m); len(got) > 0 {
		t.Errorf("%q are shown", got)
	}
}
