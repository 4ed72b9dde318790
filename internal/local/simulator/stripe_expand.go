package simulator

import (
	"slices"
	"strings"
)

// expand replaces ids in a response by their objects, as the request asks for.
func (p *stripe) expand(r stripeRequest, shown any) *stripeError {
	for name, values := range r.form {
		if !strings.HasPrefix(name, "expand") {
			continue
		}
		for _, path := range values {
			if !p.expandAt(r.account, shown, strings.Split(path, ".")) {
				return wrong("", "expand", "This property cannot be expanded ("+path+").")
			}
		}
	}
	return nil
}

func (p *stripe) expandAt(account string, at any, path []string) bool {
	if len(path) == 0 {
		return true
	}
	switch at := at.(type) {
	case []any:
		return !slices.ContainsFunc(at, func(one any) bool { return !p.expandAt(account, one, path) })
	case object:
		value, known := at[path[0]]
		if id, is := value.(string); is {
			if value = p.byID(account, id); value == nil {
				return false
			}
			at[path[0]] = value
		}
		switch value.(type) {
		case nil:
			return known
		case object, []any:
			return p.expandAt(account, value, path[1:])
		}
	}
	return false
}

// byID returns any object by its id, nil if there is none. The type is any, because a nil object would be none.
func (p *stripe) byID(account, id string) any {
	prefix, own, _ := strings.Cut(id, "_")
	if prefix == "pi" {
		if i, e := p.find(account, id); e == nil {
			return p.object(i)
		}
		return nil
	}
	if t := p.thing(account, "", id); t != nil {
		return t.object()
	}
	o, found := p.Find("stripe", own)
	if !found || o.Account != account {
		return nil
	}
	switch i, e := p.find(account, o.Values["intent"]); {
	case e != nil:
	case prefix == "ch":
		return p.chargeObject(o, i)
	case prefix == "re":
		return p.refund(o)
	case prefix == "dp":
		return p.dispute(o, i)
	case prefix == "txn":
		return p.transaction(o)
	}
	return nil
}
