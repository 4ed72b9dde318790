package store

import (
	"cmp"
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"
	"time"
)

// DueKind is a part of the due listing. Each kind is listed by itself, so that none delays another.
type DueKind string

// The kinds of what is due. A parked callback is listed by the time when it was parked, and a payment that waits for a
// person by the time since when an outcome is unknown, for operators to see; Sweep never sends them.
const (
	DuePayment  DueKind = "payment"
	DueChain    DueKind = "chain"
	DueCallback DueKind = "callback"
	DueParked   DueKind = "parked"
	DuePerson   DueKind = "person"
)

// Of returns the kind for payments with the live or the test key. Those with the test key are listed by themselves, but
// for parked callbacks.
func (k DueKind) Of(test bool) DueKind {
	if test && k != DueParked {
		return "test-" + k
	}
	return k
}

// DueKinds are all kinds.
var DueKinds = []DueKind{
	DuePayment, DueChain, DueCallback, DueParked, DuePerson,
	DuePayment.Of(true), DueChain.Of(true), DueCallback.Of(true), DuePerson.Of(true),
}

// DueQuery selects the entries that Due returns.
type DueQuery struct {
	Kind  DueKind
	Shard int      // 0 to Kind.Shards()-1
	After DueEntry // the listing continues after this entry, even if it no longer exists; zero: from the start
	Limit int
}

// DueEntry is one entry of the due listing.
type DueEntry struct {
	Key Key       `json:"key"`
	At  time.Time `json:"at"` // the document's DueAt
}

// MaxDueShards is the most parts that the listing of one kind is spread over.
const MaxDueShards = 32

// Shards returns the number of parts that the listing of the kind is spread over, so that no single key takes every
// write: many of the kinds that grow with live payments, a few of the others, since a sweep may read all of them.
func (k DueKind) Shards() int {
	switch k {
	case DuePayment, DueCallback, DueParked:
		return MaxDueShards
	}
	return MaxDueShards / 4
}

// DueShard is the shard of a kind's due listing that a key belongs to.
func DueShard(kind DueKind, key Key) int {
	sum := sha256.Sum256([]byte(key.Partition + "\x00" + key.Sort))
	return int(sum[0]) % kind.Shards()
}

// ShardName is the name of a kind's shard in a store's index.
func ShardName(kind DueKind, shard int) string {
	return "due/" + string(kind) + "/" + strconv.Itoa(shard)
}

// ShardKind is the kind in a shard's name.
func ShardKind(name string) DueKind {
	kind, _, _ := strings.Cut(strings.TrimPrefix(name, "due/"), "/")
	return DueKind(kind)
}

// DueListing has entries of the due listing by the name of their shard, in the order of Due.
type DueListing map[string][]DueEntry

// Due lists what Store.Due lists.
func (l DueListing) Due(now time.Time, query DueQuery) []DueEntry {
	due := l[ShardName(query.Kind, query.Shard)]
	if !query.After.At.IsZero() {
		at, found := slices.BinarySearchFunc(due, query.After, CompareDue)
		if found {
			at++
		}
		due = due[at:]
	}
	end := 0
	for end < min(len(due), query.Limit) && due[end].At.UnixMilli() <= now.UnixMilli() {
		end++
	}
	return slices.Clone(due[:end])
}

// Add adds an entry to a shard.
func (l DueListing) Add(shard string, entry DueEntry) {
	at, _ := slices.BinarySearchFunc(l[shard], entry, CompareDue)
	l[shard] = slices.Insert(l[shard], at, entry)
}

// Remove removes an entry from a shard, if it is there.
func (l DueListing) Remove(shard string, entry DueEntry) {
	if at, found := slices.BinarySearchFunc(l[shard], entry, CompareDue); found {
		l[shard] = slices.Delete(l[shard], at, at+1)
	}
}

// CompareDue orders the due listing by time, and by key where that is the same.
func CompareDue(a, b DueEntry) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Key.Partition, b.Key.Partition), cmp.Compare(a.Key.Sort, b.Key.Sort))
}
