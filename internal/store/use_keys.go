package store

import "strings"

// UseKey is the key of how often one instance of a function has seen the old or new one of a secret that is replaced.
func UseKey(merchant, place string, old bool, instance string) Key {
	which := "/new/"
	if old {
		which = "/old/"
	}
	return Key{"uses/" + merchant, place + which + instance}
}

// UsesOf lists what all instances have seen of a merchant.
func UsesOf(merchant string, limit int) Query {
	return Query{Partition: "uses/" + merchant, Limit: limit}
}

// UseIn returns the place of the secret of a UseKey, and whether it is the old one.
func UseIn(key Key) (place string, old bool) {
	place, which, _ := strings.Cut(key.Sort, "/")
	return place, strings.HasPrefix(which, "old/")
}
