package guard

import (
	"cmp"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// difference is one thing that is not as it was released. It never has a body.
type difference struct{ site, what, path, wanted, found string }

// whatHeader is what a difference of a header is.
const whatHeader = "header"

// integrity is the hash of a file as File has it.
func integrity(content []byte) string {
	sum := sha512.Sum384(content)
	return "sha384-" + base64.StdEncoding.EncodeToString(sum[:])
}

// compareFile compares a response with a file that was released.
func compareFile(file File, got response) []difference {
	d := difference{path: "/" + file.Name, wanted: file.Integrity}
	switch {
	case got.status != http.StatusOK:
		d.what, d.found = "missing", strings.TrimSpace(fmt.Sprint(got.status, " ", got.redirected()))
	case got.longer:
		d.what, d.found = "content", fmt.Sprintf("more than its %d bytes", file.Bytes)
	default:
		if d.found = integrity(got.body); d.found == file.Integrity {
			return nil
		}
		d.what = "content"
	}
	return []difference{d}
}

// Tags of a page, and what of them matters. The hash of the whole decides whether a page was changed: these only name
// what was.
var (
	tag = regexp.MustCompile(`(?is)<(script|link|style|iframe|object|embed|base|meta|form)\b` +
		`((?:"[^"]*"|'[^']*'|[^>"'])*)>`)
	endScript = regexp.MustCompile(`(?i)</script`)
	attribute = regexp.MustCompile(`(?is)([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`)
	handler   = regexp.MustCompile(`(?i)<[^>]*\s(on[a-z]+)\s*=`)
)

// comparePage compares a page, in text with the placeholder of the page's address, with that of a release. Of one that
// differs it names the scripts, style sheets and handlers that the release does not have.
func comparePage(page File, got response, text []byte, built Built) []difference {
	whole := compareFile(page, response{status: got.status, header: got.header, body: text})
	if len(whole) == 0 || got.status != http.StatusOK {
		return whole
	}
	if got.longer {
		whole[0].found = fmt.Sprintf("more than %d bytes", maxIndex)
	}
	html, wanted := string(text), map[string]string{}
	for _, file := range slices.Concat(built.Scripts, built.Styles) {
		wanted[file.Name] = file.Integrity
	}
	loaded := map[string]bool{}
	for _, at := range tag.FindAllStringSubmatchIndex(html, -1) {
		kind, attributes := strings.ToLower(html[at[2]:at[3]]), attributesOf(html[at[4]:at[5]])
		whole = append(whole, compareTag(kind, attributes, html[at[1]:], wanted)...)
		loaded[strings.TrimPrefix(attributes["src"]+attributes["href"], "/")] = true
	}
	for _, name := range built.Index.Loads {
		if !loaded[name] {
			whole = append(whole, difference{what: "not loaded", path: "/" + name, wanted: wanted[name]})
		}
	}
	for _, found := range handler.FindAllStringSubmatch(html, -1) {
		whole = append(whole, difference{what: "handler in the page", found: found[1]})
	}
	for i := range whole {
		whole[i].path = cmp.Or(whole[i].path, "/"+page.Name)
	}
	return whole
}

// compareTag compares a tag with the files that a release has, wanted by their names. rest is the page after the tag. A
// difference without a path is one of the page.
func compareTag(kind string, attributes map[string]string, rest string, wanted map[string]string) []difference {
	address := attributes["src"]
	switch kind {
	case "script":
		if attributes["type"] == "application/json" {
			return nil // data, which no browser executes
		}
		if _, external := attributes["src"]; !external {
			if end := endScript.FindStringIndex(rest); end != nil {
				rest = rest[:end[0]]
			}
			return []difference{{what: "script in the page", found: integrity([]byte(rest))}}
		}
	case "link":
		if address = attributes["href"]; !strings.Contains(strings.ToLower(attributes["rel"]), "stylesheet") {
			return nil // an icon, which the policy limits
		}
	case "meta":
		if attributes["http-equiv"] == "" {
			return nil
		}
		return []difference{{what: "meta in the page", found: attributes["http-equiv"]}}
	default: // the page has none
		return []difference{{what: kind + " in the page", found: place(address)}}
	}
	hash, known := wanted[strings.TrimPrefix(address, "/")]
	switch {
	case !known:
		return []difference{{what: "unknown " + kind, found: place(address)}}
	case attributes["integrity"] != hash:
		return []difference{{what: "integrity", path: "/" + strings.TrimPrefix(address, "/"), wanted: hash,
			found: attributes["integrity"]}}
	}
	return nil
}

func attributesOf(text string) map[string]string {
	all := map[string]string{}
	for _, found := range attribute.FindAllStringSubmatch(text, -1) {
		if name := strings.ToLower(found[1]); all[name] == "" {
			all[name] = found[2] + found[3] + found[4]
		}
	}
	return all
}

// place is an address without its query and fragment.
func place(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "no address"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}
