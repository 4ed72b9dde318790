package template

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// resolve turns a node into plain data and replaces every intrinsic function by its value.
func (r *reader) resolve(node *yaml.Node, place string) any {
	r.lines[place] = node.Line
	if r.active[node] {
		r.fail(place, "references go round in a circle")
		return ""
	}
	r.active[node] = true
	defer delete(r.active, node)
	if node.Kind == yaml.AliasNode {
		return r.resolve(node.Alias, place)
	}
	if name, argument := intrinsic(node); name != "" {
		return r.call(name, argument, place)
	}
	switch node.Kind {
	case yaml.SequenceNode:
		list := []any{}
		for i, element := range node.Content {
			if data := r.resolve(element, place+"."+strconv.Itoa(i)); data != (any)(noValue{}) {
				list = append(list, data)
			}
		}
		return list
	case yaml.MappingNode:
		mapping := map[string]any{}
		for i := 0; i+1 < len(node.Content); i += 2 {
			key := node.Content[i].Value
			if data := r.resolve(node.Content[i+1], place+"."+key); data != (any)(noValue{}) {
				mapping[key] = data
			}
		}
		return mapping
	}
	return scalar(node)
}

func scalar(node *yaml.Node) any {
	switch node.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return node.Value == "true"
	case "!!int":
		if number, err := strconv.ParseInt(node.Value, 10, 64); err == nil {
			return number
		}
	}
	return node.Value
}

// intrinsic returns the intrinsic function of a node and its argument, in either form: !Sub x, or Fn::Sub: x.
func intrinsic(node *yaml.Node) (string, *yaml.Node) {
	if tag := node.ShortTag(); strings.HasPrefix(tag, "!") && !strings.HasPrefix(tag, "!!") {
		plain := *node
		plain.Tag = ""
		return strings.TrimPrefix(tag, "!"), &plain
	}
	if node.Kind == yaml.MappingNode && len(node.Content) == 2 {
		key := node.Content[0].Value
		if name, ok := strings.CutPrefix(key, "Fn::"); ok {
			return name, node.Content[1]
		}
		if key == "Ref" {
			return key, node.Content[1]
		}
	}
	return "", nil
}

// call is the one list of the intrinsic functions that are understood.
func (r *reader) call(name string, argument *yaml.Node, place string) any {
	switch name {
	case "Ref":
		return r.ref(argument.Value, place)
	case "GetAtt":
		return r.getAtt(argument, place)
	case "Sub":
		return r.sub(argument, place)
	case "Join":
		return r.join(argument, place)
	case "Select":
		return r.pick(argument, place)
	case "Split":
		return r.split(argument, place)
	case "If":
		return r.choose(argument, place)
	case "FindInMap":
		return r.findInMap(argument, place)
	case "Equals", "Not", "And", "Or", "Condition":
		return r.truth(name, argument, place)
	}
	r.fail(place, "the function %s is not understood", name)
	return ""
}

func (r *reader) join(node *yaml.Node, place string) any {
	arguments := r.arguments(node, place, 2)
	if arguments == nil {
		return ""
	}
	return strings.Join(r.at(arguments[1], place+".1").texts(), arguments[0].Value)
}

func (r *reader) pick(node *yaml.Node, place string) any {
	arguments := r.arguments(node, place, 2)
	if arguments == nil {
		return ""
	}
	index, list := r.at(arguments[0], place+".0").number(0), r.at(arguments[1], place+".1").list()
	if index < 0 || index >= len(list) {
		r.fail(place, "no element %d in a list of %d", index, len(list))
		return ""
	}
	return list[index].data
}

func (r *reader) split(node *yaml.Node, place string) any {
	arguments := r.arguments(node, place, 2)
	if arguments == nil {
		return []any{}
	}
	var list []any
	for _, part := range strings.Split(r.at(arguments[1], place+".1").text(), arguments[0].Value) {
		list = append(list, part)
	}
	return list
}

func (r *reader) findInMap(node *yaml.Node, place string) any {
	found := child(r.root, "Mappings")
	for i, key := range r.arguments(node, place, 3) {
		name := r.at(key, place+"."+strconv.Itoa(i)).text()
		if found = child(found, name); found == nil {
			r.fail(place, "no %q in Mappings", name)
			return ""
		}
	}
	if found == nil {
		return ""
	}
	return r.resolve(found, place)
}

func (r *reader) choose(node *yaml.Node, place string) any {
	arguments := r.arguments(node, place, 3)
	if arguments == nil {
		return ""
	}
	if r.condition(arguments[0].Value, place) {
		return r.resolve(arguments[1], place)
	}
	return r.resolve(arguments[2], place)
}

// condition is the value of a named condition.
func (r *reader) condition(name, place string) bool {
	if known, ok := r.conditions[name]; ok {
		return known
	}
	node := child(child(r.root, "Conditions"), name)
	if node == nil {
		r.fail(place, "no condition is called %q", name)
		return false
	}
	r.conditions[name] = false // ends a cycle
	r.conditions[name] = r.test(node, "Conditions."+name)
	return r.conditions[name]
}

// test returns the value of a condition expression. Only there does {Condition: name} refer to another condition.
func (r *reader) test(node *yaml.Node, place string) bool {
	r.lines[place] = node.Line
	if name := child(node, "Condition"); name != nil && len(node.Content) == 2 {
		return r.condition(name.Value, place)
	}
	truth, ok := r.resolve(node, place).(bool)
	if !ok {
		r.fail(place, "is not a condition")
	}
	return truth
}

func (r *reader) truth(name string, node *yaml.Node, place string) bool {
	switch name {
	case "Condition":
		return r.condition(node.Value, place)
	case "Equals":
		arguments := r.arguments(node, place, 2)
		return arguments != nil && r.at(arguments[0], place+".0").text() == r.at(arguments[1], place+".1").text()
	case "Not":
		arguments := r.arguments(node, place, 1)
		return arguments != nil && !r.test(arguments[0], place+".0")
	}
	all := true
	some := false
	for i, part := range node.Content { // And, Or
		truth := r.test(part, place+"."+strconv.Itoa(i))
		all, some = all && truth, some || truth
	}
	if name == "And" {
		return all
	}
	return some
}
