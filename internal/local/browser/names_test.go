package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/runtime"
)

// checkNames checks that what is seen of a control is a part of its name for assistive technology: whoever speaks to a
// computer says what stands there.
func (v *visit) checkNames(screen string) {
	v.t.Helper()
	v.accessible()
	for i, seen := range get[[]string](v.tab, "access.words()") {
		control := fmt.Sprintf("access.named()[%d]", i)
		if name := v.nameOf(control); name == "" || !strings.Contains(letters(name), letters(seen)) {
			v.t.Errorf("%s: %s shows %q and is called %q", screen, get[string](v.tab, control+".id"), seen, name)
		}
	}
}

// nameOf is the name of an element for assistive technology.
func (v *visit) nameOf(element string) string {
	v.t.Helper()
	found := call(v.tab, runtime.Evaluate, runtime.EvaluateParams{Expression: element})
	tree := call(v.tab, accessibility.GetPartialAXTree, accessibility.GetPartialAXTreeParams{
		ObjectID: found.Result.ObjectID, FetchRelatives: new(false)})
	if len(tree.Nodes) != 1 || tree.Nodes[0].Name == nil {
		v.t.Fatalf("%s has no name: %+v", element, tree.Nodes)
	}
	var name string
	if err := json.Unmarshal(tree.Nodes[0].Name.Value, &name); err != nil {
		v.t.Fatal(err)
	}
	return name
}

// letters is a text without what is no matter of its words: spaces, signs of direction, and which letters are large.
func letters(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || unicode.Is(unicode.Cf, c) {
			return -1
		}
		return unicode.ToLower(c)
	}, text)
}
