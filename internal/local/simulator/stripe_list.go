package simulator

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// pageOf returns the page of a list that a request asks for. all are the newest first.
func pageOf(r stripeRequest, all []object) (any, *stripeError) {
	all = createdIn(r.form, all)
	limit := 10
	if text := r.get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 100 {
			return nil, wrong("parameter_invalid_integer", "limit", "The limit is an integer of 1 to 100.")
		}
		limit = n
	}
	place := func(name string) (int, *stripeError) {
		i := slices.IndexFunc(all, func(o object) bool { return o["id"] == r.get(name) })
		if i < 0 {
			return 0, wrong("resource_missing", name, "No such object: '"+r.get(name)+"'")
		}
		return i, nil
	}
	more := false
	switch {
	case r.get("ending_before") != "":
		end, e := place("ending_before")
		if e != nil {
			return nil, e
		}
		more, all = end > limit, all[max(0, end-limit):end]
	case r.get("starting_after") != "":
		start, e := place("starting_after")
		if e != nil {
			return nil, e
		}
		all = all[start+1:]
		fallthrough
	default:
		more, all = len(all) > limit, all[:min(len(all), limit)]
	}
	return listed(r, all, more), nil
}

func listed(r stripeRequest, all []object, more bool) object {
	data := make([]any, len(all))
	for i, one := range all {
		data[i] = one
	}
	return object{
		"object": "list", "has_more": more, "data": data, "url": strings.TrimPrefix(r.URL.Path, "/stripe"),
	}
}

// createdIn leaves out what was created at another time than created or created[gte] and the like say.
func createdIn(form url.Values, all []object) []object {
	limits := map[string]func(created, limit int64) bool{
		"created":      func(c, l int64) bool { return c == l },
		"created[gt]":  func(c, l int64) bool { return c > l },
		"created[gte]": func(c, l int64) bool { return c >= l },
		"created[lt]":  func(c, l int64) bool { return c < l },
		"created[lte]": func(c, l int64) bool { return c <= l },
	}
	return slices.DeleteFunc(all, func(o object) bool {
		created, _ := o["created"].(int64)
		for name, within := range limits {
			limit, err := strconv.ParseInt(form.Get(name), 10, 64)
			if err == nil && !within(created, limit) {
				return true
			}
		}
		return false
	})
}

// having leaves out what has other values than the parameters of those names, where they were sent.
func having(form url.Values, all []object, names ...string) []object {
	return slices.DeleteFunc(all, func(o object) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			return form.Get(name) != "" && o[name] != form.Get(name)
		})
	})
}

// matches reports whether an object fits a query of a search: terms such as status:'succeeded', metadata['a']:'b' or
// amount>100, joined by AND. It is an error if the query can't be read.
func matches(o object, query string) (bool, *stripeError) {
	fits := true
	for _, term := range strings.Split(query, " AND ") {
		at := strings.IndexAny(term, ":<>")
		if at < 0 {
			return false, wrong("", "query", "We were unable to parse your search query.")
		}
		name, value := strings.TrimSpace(term[:at]), strings.Trim(strings.TrimSpace(term[at+1:]), `'"`)
		var got any = o[name]
		if key, is := strings.CutPrefix(name, "metadata["); is {
			metadata, _ := o["metadata"].(map[string]string)
			got = metadata[strings.Trim(key, `'"]`)]
		}
		n, isNumber := got.(int64)
		limit, err := strconv.ParseInt(value, 10, 64)
		switch {
		case isNumber && err != nil, !isNumber && term[at] != ':':
			return false, wrong("", "query", "We were unable to parse your search query.")
		case isNumber:
			fits = fits && (term[at] == ':' && n == limit || term[at] == '<' && n < limit || term[at] == '>' && n > limit)
		default:
			fits = fits && got == value
		}
	}
	return fits, nil
}

// found returns what a search finds of a list.
func found(r stripeRequest, all []object) (any, *stripeError) {
	var fits []object
	for _, o := range all {
		fit, e := matches(o, r.get("query"))
		if e != nil {
			return nil, e
		}
		if fit {
			fits = append(fits, o)
		}
	}
	r.form = url.Values{"limit": {"100"}}
	shown := listed(r, fits, false)
	shown["object"], shown["next_page"] = "search_result", nil
	return shown, nil
}
