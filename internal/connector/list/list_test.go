package list

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/method"
	"checkout/internal/settings"
)

// TestFamiliesAreWhatTheyDeclare compares folders, list, declarations and the interfaces that the connectors
// implement.
func TestFamiliesAreWhatTheyDeclare(t *testing.T) {
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	declarations, built := connector.Declarations(), New(provider.Setup{})
	for _, e := range entries {
		if !e.IsDir() || slices.Contains([]string{"list", "provider", "conformance"}, e.Name()) {
			continue
		}
		d, declared := declarations[e.Name()]
		c, listed := built[e.Name()]
		if !declared || !listed {
			t.Errorf("%s: it has a declaration: %v, and a line in the list: %v", e.Name(), declared, listed)
			continue
		}
		delete(built, e.Name())
		for what, said := range map[string][2]bool{
			"captures":            {d.Capture, is[connector.Capturer](c)},
			"voids":               {d.Void, is[connector.Voider](c)},
			"refunds":             {d.Refund, is[connector.Refunder](c)},
			"looks up":            {d.StatusQueries, is[connector.StatusQuerier](c)},
			"reads notices":       {d.Notices, is[connector.NotificationHandler](c)},
			"takes a second form": {d.SecondForm, is[connector.Continuer](c)},
			"ends charges":        {d.Cancel, is[connector.Canceller](c)},
		} {
			if said[0] != said[1] {
				t.Errorf("%s: that it %s is declared: %v, implemented: %v", e.Name(), what, said[0], said[1])
			}
		}
		readme, _ := os.ReadFile(filepath.Join("..", e.Name(), "README.md"))
		if !strings.Contains(string(readme), "`found_after`") || d.FoundAfter < 0 || d.FoundAfter > settings.MaxFoundAfter {
			t.Errorf("%s finds requests after %d s, and its README does not say why", e.Name(), d.FoundAfter)
		}
		for _, id := range d.Methods {
			if _, known := method.Find(id); !known {
				t.Errorf("%s declares the method %s, which the service does not have", e.Name(), id)
			}
		}
		for _, operation := range d.Operations {
			if !slices.Contains(method.Operations, operation) {
				t.Errorf("%s declares the operation %s", e.Name(), operation)
			}
		}
		if _, err := os.Stat(filepath.Join("..", e.Name(), "README.md")); err != nil || len(d.Operations) == 0 {
			t.Errorf("%s: it has a README: %v; it declares the operations %q", e.Name(), err == nil, d.Operations)
		}
	}
	for name := range built {
		t.Errorf("%s is in the list and has no folder", name)
	}
}

func is[T any](c connector.Connector) bool {
	_, ok := c.(T)
	return ok
}
