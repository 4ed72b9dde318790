package gateway

import (
	"strings"

	"checkout/internal/local/cloud/template"
)

// matched is a route with the values of its path parameters.
type matched struct {
	route      template.Route
	parameters map[string]string
}

// key is the route key, such as "GET /page/v1/{session}".
func (m matched) key() string {
	return strings.TrimSpace(m.route.Method + " " + m.route.Path)
}

// match finds the most specific route: the text of a path segment counts more than {name}, {name} more than {name+}, a
// method more than ANY, and $default takes what is left.
func match(routes []template.Route, method, path string) (matched, bool) {
	best, bestRank := matched{}, ""
	for _, route := range routes {
		rank, parameters, ok := fit(route, path)
		if !ok || (route.Method != "" && route.Method != "ANY" && route.Method != method) {
			continue
		}
		if route.Method == method {
			rank += "1"
		}
		if rank > bestRank {
			best, bestRank = matched{route, parameters}, rank
		}
	}
	return best, bestRank != ""
}

// fit compares a path with a route. The rank has one digit per segment, so that ranks can be compared as strings.
func fit(route template.Route, path string) (rank string, parameters map[string]string, ok bool) {
	if route.Path == "$default" {
		return "0", nil, true
	}
	parameters = map[string]string{}
	pattern, parts := strings.Split(route.Path, "/"), strings.Split(path, "/")
	for i, segment := range pattern {
		name, variable := strings.CutPrefix(segment, "{")
		name = strings.TrimSuffix(name, "}")
		if greedy, ok := strings.CutSuffix(name, "+"); variable && ok {
			if i >= len(parts) || strings.Join(parts[i:], "/") == "" {
				return "", nil, false
			}
			parameters[greedy] = strings.Join(parts[i:], "/")
			return rank + "2", parameters, true
		}
		if i >= len(parts) {
			return "", nil, false
		}
		switch {
		case variable && parts[i] != "":
			parameters[name] = parts[i]
			rank += "3"
		case !variable && segment == parts[i]:
			rank += "4"
		default:
			return "", nil, false
		}
	}
	return rank, parameters, len(pattern) == len(parts)
}

// PlainPath is what the template's CloudFront function makes of a path: without doubled and trailing slashes.
func PlainPath(path string) string {
	return "/" + strings.Join(strings.FieldsFunc(path, func(c rune) bool { return c == '/' }), "/")
}
