package plugins

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the template of translations")

// phpFiles returns the code of the plugin by its files' names below its folder.
func phpFiles(t *testing.T) (names []string, code map[string]string) {
	t.Helper()
	code = map[string]string{}
	for _, pattern := range []string{"*.php", "includes/*.php"} {
		found, err := filepath.Glob(plugin + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimPrefix(path, filepath.Clean(plugin)+"/")
			names, code[name] = append(names, name), string(text)
		}
	}
	if len(names) < 10 {
		t.Fatalf("files %q", names)
	}
	return names, code
}

var (
	// text finds a text that is translated, and before it what translators have to know.
	text = regexp.MustCompile(`(?s)(?:/\* (translators: [^*]*) \*/\s*[^/]*?)?\b(?:esc_html)?__\( ` +
		`('(?:[^'\\]|\\.)*'|[^)]*), 'hosted-checkout' \)`)
	// function finds every call of a function that translates.
	function  = regexp.MustCompile(`\b(?:__|_e|_x|_n|_nx|_ex|esc_\w+__|esc_\w+_e|esc_\w+_x)\(`)
	plainText = regexp.MustCompile(`^'((?:[^'\\]|\\')*)'$`)
)

// TestTranslations checks that the template of translations has every text of the plugin and nothing else, and that
// every text with placeholders tells translators what they are. With -update it writes the template.
func TestTranslations(t *testing.T) {
	names, code := phpFiles(t)
	var want strings.Builder
	want.WriteString("msgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: Hosted Checkout for WooCommerce\\n\"\n" +
		"\"MIME-Version: 1.0\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"X-Domain: hosted-checkout\\n\"\n")
	var seen []string
	for _, name := range names {
		found := text.FindAllStringSubmatch(code[name], -1)
		if all := function.FindAllString(code[name], -1); len(all) != len(found) {
			t.Errorf("%s: %d of %d texts are translated in the plugin's domain", name, len(found), len(all))
		}
		for _, f := range found {
			plain := plainText.FindStringSubmatch(f[2])
			if plain == nil {
				t.Errorf("%s: %s is no plain text", name, f[2])
				continue
			}
			if slices.Contains(seen, plain[1]) {
				continue
			}
			seen = append(seen, plain[1])
			if strings.Contains(plain[1], "%") && f[1] == "" {
				t.Errorf("%s: nothing tells translators of %q", name, plain[1])
			}
			want.WriteString("\n")
			if strings.Contains(plain[1], "%") {
				fmt.Fprintf(&want, "#. %s\n", f[1])
			}
			unquoted := strings.ReplaceAll(plain[1], `\'`, "'")
			fmt.Fprintf(&want, "#: %s\nmsgid \"%s\"\nmsgstr \"\"\n", name, strings.ReplaceAll(unquoted, `"`, `\"`))
		}
	}
	const file = plugin + "languages/hosted-checkout.pot"
	if *update {
		if err := os.WriteFile(file, []byte(want.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want.String() || len(seen) < 40 {
		t.Errorf("%s is not that of the %d texts: use -run Translations -update", file, len(seen))
	}
}

// TestFilesAreOfAPlugin checks that no file does anything by itself, and that the versions agree.
func TestFilesAreOfAPlugin(t *testing.T) {
	names, code := phpFiles(t)
	for _, name := range names {
		caller := map[bool]string{true: "WP_UNINSTALL_PLUGIN", false: "ABSPATH"}[name == "uninstall.php"]
		if !strings.Contains(code[name], "\ndefined( '"+caller+"' ) || exit;\n") {
			t.Errorf("%s can be run by itself", name)
		}
	}
	readme, err := os.ReadFile(plugin + "readme.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, header := range []string{"Requires at least: ", "Tested up to: ", "Requires PHP: ", "License: "} {
		value := regexp.MustCompile(`(?m)^[ *]*` + header + `(.*)$`)
		main, list := value.FindStringSubmatch(code["hosted-checkout.php"]), value.FindSubmatch(readme)
		if main == nil || list == nil || main[1] != string(list[1]) {
			t.Errorf("%s%q in the plugin, %q in readme.txt", header, main, list)
		}
	}
	version := regexp.MustCompile(`(?m)^ \* Version: (.*)$`).FindStringSubmatch(code["hosted-checkout.php"])
	if version == nil || !strings.Contains(string(readme), "\nStable tag: "+version[1]+"\n") ||
		!strings.Contains(code["includes/class-hosted-checkout-blocks.php"], "'"+version[1]+"'") {
		t.Errorf("the version %q is another one elsewhere", version)
	}
}

// TestBlocksScript runs the script of the checkout block as browsers do.
func TestBlocksScript(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not on this machine, so that the script of the checkout block is not run")
	}
	script, err := os.ReadFile(plugin + "assets/blocks.js")
	if err != nil {
		t.Fatal(err)
	}
	const before = `
const settings = {
	hosted_checkout_data: { title: 'Card &amp; more', description: 'You pay.', supports: [ 'products' ] },
};
globalThis.window = {
	wc: {
		wcSettings: { getSetting: ( name, otherwise ) => settings[ name ] ?? otherwise },
		wcBlocksRegistry: { registerPaymentMethod: ( m ) => console.log( JSON.stringify( [ m.name, m.label, m.ariaLabel,
			m.content.type(), m.edit.type(), m.canMakePayment(), m.supports ] ) ) },
	},
	wp: {
		element: { createElement: ( type, props, ...children ) => ( { type, props, children } ) },
		htmlEntities: { decodeEntities: ( text ) => text.replace( '&amp;', '&' ) },
	},
};
`
	command := exec.Command("node", "-")
	command.Stdin = bytes.NewReader(append([]byte(before), script...))
	got, err := command.CombinedOutput()
	const about = `{"type":"div","props":null,"children":["You pay."]}`
	want := `["hosted_checkout",{"type":"span","props":null,"children":["Card & more"]},"Card & more",` +
		about + `,` + about + `,true,{"features":["products"]}]`
	if err != nil || strings.TrimSpace(string(got)) != want {
		t.Errorf("%v: %s\nwant %s", err, got, want)
	}
}
