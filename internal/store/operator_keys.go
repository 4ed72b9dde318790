package store

import (
	"encoding/hex"
	"strings"
	"time"
)

// GrantsKey is the key of the grants of all operators.
func GrantsKey() Key { return Key{"operators", "operators"} }

// ReturnedKey is the key of what a person has returned to payers on a day.
func ReturnedKey(person string, day time.Time) Key {
	return Key{"operators", "returned/" + day.Format(time.DateOnly) + "/" + hashOf("returned by\x00"+person)}
}

// ApprovalKey is the key of what waits for the approval of another person, by its id.
func ApprovalKey(id string) Key { return Key{"approvals", id} }

// NewApprovalID makes an id of the time and random bytes. Later ones sort higher.
func NewApprovalID(now time.Time, random []byte) string {
	return now.UTC().Format("20060102T150405.000Z-") + hex.EncodeToString(random)
}

// ApprovalsBefore lists approvals, the latest first, from the one before an id on; "" is the beginning.
func ApprovalsBefore(id string, limit int) Query {
	return Query{Partition: "approvals", Before: id, Limit: limit}
}

// signIn is the partition of all who have signed in with an OpenID provider.
const signIn = "sign-in"

// SignInKey is the key of the session of whoever signed in and got a token. The document does not lead to the token.
func SignInKey(token string) Key { return SignInOfID(hashOf("sign-in session\x00" + token)) }

// SignInOfID is the key of a session by its id, which SignInID returns.
func SignInOfID(id string) Key { return Key{signIn, "session/" + id} }

// SignInID is the id in the key of a session.
func SignInID(key Key) string { return strings.TrimPrefix(key.Sort, "session/") }

// SignIns lists the sessions of all who have signed in.
func SignIns(limit int) Query { return Query{Partition: signIn, Prefix: "session/", Limit: limit} }

// SignInCodeKey is the key of the code by which the command gets a session.
func SignInCodeKey(code string) Key { return Key{signIn, "code/" + hashOf("sign-in code\x00"+code)} }
