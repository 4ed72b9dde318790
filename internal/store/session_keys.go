package store

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// NewSessionID makes a session id: the digits of a payment id, and 128 random bits that nobody can guess, because
// whoever has the id can open the checkout page.
func NewSessionID(hash string, now time.Time, random []byte) string {
	return hash[:digitAt] + ownDigit + hash[digitAt:] + newTail(now, random) + hex.EncodeToString(random[4:20])
}

// FirstSessionID is the id of the session with an id, if it is stored as the first of its order.
func FirstSessionID(id string) string { return id[:digitAt] + firstDigit + id[digitAt+1:] }

// PublicID is the part of a session id that may be logged and told to providers: it does not open the page.
func PublicID(sessionID string) string { return sessionID[:min(32, len(sessionID))] }

// ReturnID names a session in the address by which its payer comes back from a provider. It has the public part of the
// session's id and a hash of the whole, so that no request to a provider has the id. Whoever follows the address is
// taken to the page, since payers may come back in another browser.
func ReturnID(sessionID string) string {
	sum := sha256.Sum256([]byte("return\x00" + sessionID))
	return PublicID(sessionID) + hex.EncodeToString(sum[:16])
}

// SessionsOfReturn lists the sessions that a ReturnID may name. The caller compares the ReturnID of each.
func SessionsOfReturn(returnID string) (Query, error) {
	key, err := SessionKey(returnID)
	return Query{Partition: key.Partition, Prefix: key.Sort[:strings.LastIndex(key.Sort, "/")+1], Limit: 10}, err
}

// SessionKey is the key of a session.
func SessionKey(id string) (Key, error) {
	if len(id) != 64 {
		return Key{}, errID
	}
	first := IsFirstSessionID(id)
	hash, tail, err := splitID(id[:digitAt] + ownDigit + id[digitAt+1:32])
	switch {
	case err != nil || id[digitAt:digitAt+1] != ownDigit && !first:
		return Key{}, errID
	case first:
		return FirstSessionKey(hash), nil
	}
	return Key{OrderPartition(hash), "o/" + tail + "/session/" + id[32:]}, nil
}

// SessionTime returns when a session id was made, to the millisecond.
func SessionTime(id string) (time.Time, error) {
	if len(id) != 64 {
		return time.Time{}, errID
	}
	return RowTime(id[16:32])
}

// IsFirstSessionID reports whether a session with that id is stored as the first of its order.
func IsFirstSessionID(id string) bool {
	return len(id) > digitAt && id[digitAt:digitAt+1] == firstDigit
}

// FirstSessionKey is the key of the first session of an order. It sorts before all others.
func FirstSessionKey(hash string) Key { return Key{OrderPartition(hash), firstSession} }

const firstSession = "o/0/session/"

// FirstSession lists the first session of an order.
func FirstSession(hash string) Query {
	return Query{Partition: OrderPartition(hash), Prefix: firstSession, Limit: 1}
}

// SessionID returns the id of the session with a key. rest is what the document of an order's first session has of it,
// as SessionRest returns it.
func SessionID(key Key, rest string) (string, error) {
	hash := strings.TrimPrefix(key.Partition, "order/")
	tail, secret, found := strings.Cut(strings.TrimPrefix(key.Sort, "o/"), "/session/")
	digit := ownDigit
	if key.Sort == firstSession && len(rest) == 48 {
		digit, tail, secret = firstDigit, rest[:16], rest[16:]
	}
	if len(hash) != 15 || len(tail) != 16 || !found {
		return "", errID
	}
	return hash[:digitAt] + digit + hash[digitAt:] + tail + secret, nil
}

// SessionRest is the part of a session's id that its document has: that behind the order hash, if it is the first of
// its order; "" if the key has it.
func SessionRest(id string) string {
	if IsFirstSessionID(id) {
		return id[16:]
	}
	return ""
}

// IsSession reports whether a key is a session's.
func IsSession(key Key) bool {
	return strings.HasPrefix(key.Sort, "o/") && strings.Contains(key.Sort, "/session/")
}
