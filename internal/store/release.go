package store

import (
	"strings"
	"time"
)

// PageReleases lists the releases of the checkout page, the latest first. infra/tools/upload-page writes them.
func PageReleases(limit int) Query {
	return Query{Partition: "release/page", Prefix: "at/", Limit: limit}
}

// PageReleaseTime is when the release with a key was recorded, to the second. It is zero for another key.
func PageReleaseTime(key Key) time.Time {
	at, err := time.Parse(time.RFC3339, strings.TrimPrefix(key.Sort, "at/"))
	if err != nil {
		return time.Time{}
	}
	return at
}
