package strict

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// plain returns a node without aliases, merge keys, comments and styles.
func plain(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return plain(n.Alias)
	}
	out := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value}
	if n.Kind != yaml.MappingNode {
		for _, item := range n.Content {
			out.Content = append(out.Content, plain(item))
		}
		return out
	}
	var merged *yaml.Node
	for pair := range slices.Chunk(n.Content, 2) {
		if pair[0].Tag == "!!merge" {
			merged = plain(pair[1])
		} else {
			set(out, pair[0].Value, plain(pair[1]))
		}
	}
	for name, value := range members(merged) {
		if at(out, name) == nil {
			set(out, name, value)
		}
	}
	return out
}

// members are the names and values of a mapping, none of what is no mapping.
func members(n *yaml.Node) func(func(string, *yaml.Node) bool) {
	return func(yield func(string, *yaml.Node) bool) {
		if n == nil || n.Kind != yaml.MappingNode {
			return
		}
		for pair := range slices.Chunk(slices.Clone(n.Content), 2) {
			if !yield(pair[0].Value, pair[1]) {
				return
			}
		}
	}
}

// at returns the value at a path of names, nil if there is none.
func at(n *yaml.Node, path ...string) *yaml.Node {
	for _, name := range path {
		var found *yaml.Node
		for member, value := range members(n) {
			if member == name {
				found = value
			}
		}
		n = found
	}
	return n
}

// text returns the text at a name, "" if there is none.
func text(n *yaml.Node, name string) string {
	if value := at(n, name); value != nil {
		return value.Value
	}
	return ""
}

// items are the values of a list.
func items(n *yaml.Node) []*yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}

func set(n *yaml.Node, name string, value *yaml.Node) {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			n.Content[i+1] = value
			return
		}
	}
	n.Content = append(n.Content, word(name), value)
}

// drop removes members by their names.
func drop(n *yaml.Node, names ...string) {
	var left []*yaml.Node
	for name, value := range members(n) {
		if !slices.Contains(names, name) {
			left = append(left, word(name), value)
		}
	}
	n.Content = left
}

func word(text string) *yaml.Node {
	n := new(yaml.Node)
	n.SetString(text)
	return n
}

func truth() *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"} }

func list(values ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Content: values}
}

// object returns a mapping of names, each before its value.
func object(pairs ...any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for pair := range slices.Chunk(pairs, 2) {
		value, isNode := pair[1].(*yaml.Node)
		if !isNode {
			value = word(pair[1].(string))
		}
		set(n, pair[0].(string), value)
	}
	return n
}

// oldTruths are texts that YAML 1.1, which many read, takes for a boolean.
var oldTruths = []string{"y", "n", "yes", "no", "on", "off"}

// short puts what is small on one line: a mapping or list of a few texts.
func short(n *yaml.Node) (length int) {
	small := true
	for _, value := range n.Content {
		length += short(value) + len(", ")
		small = small && (value.Kind == yaml.ScalarNode || value.Style == yaml.FlowStyle)
	}
	if n.Kind == yaml.ScalarNode {
		if n.Tag == "!!str" && slices.Contains(oldTruths, strings.ToLower(n.Value)) {
			n.Style = yaml.SingleQuotedStyle
		}
		return len(n.Value)
	}
	if small && length <= 100 {
		n.Style = yaml.FlowStyle
	}
	return length
}
