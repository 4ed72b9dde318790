// Package signature makes and checks the hashes of the protocol (protocol.md, Hashes) and the signatures of callbacks
// (Standard Webhooks).
package signature

import (
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

func sameHash(a, b string) bool {
	return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}

func concatenate(parts []string, password string) []byte {
	text := make([]byte, 0, 512) // enough for most orders
	for _, part := range parts {
		text = append(text, part...)
	}
	return append(text, password...)
}

// Key is the key of a merchant's hashes.
type Key struct {
	Password string
	SHA256   bool // instead of MD5
}

// Sign returns the hash of the parts with ASCII-only upper-casing, which the service uses by default.
func (k Key) Sign(parts ...string) string {
	return k.Digest(UpperASCII(concatenate(parts, k.Password)))
}

// SignFull returns the hash of the parts with full Unicode upper-casing.
func (k Key) SignFull(parts ...string) string {
	return k.Digest([]byte(UpperFull(string(concatenate(parts, k.Password)))))
}

// Verify reports whether a hash is right with one of the upper-casings that clients use. Without a password no
// hash is.
func (k Key) Verify(hash string, parts ...string) bool {
	return k.Password != "" && k.signs(strings.ToLower(hash), concatenate(parts, k.Password))
}

// signs reports whether a hash in lower case is that of a whole text, with one of the upper-casings: of a to z alone,
// the full or the simple one of Unicode, or that of .NET.
func (k Key) signs(hash string, text []byte) bool {
	if sameHash(hash, k.Digest(UpperASCII(text))) {
		return true
	}
	if IsASCII(text) {
		return false
	}
	return sameHash(hash, k.Digest([]byte(UpperFull(string(text))))) ||
		sameHash(hash, k.Digest([]byte(strings.ToUpper(string(text))))) ||
		bytes.ContainsRune(text, 'ı') && sameHash(hash, k.Digest(bytes.Map(upperDotNet, text)))
}

// upperDotNet is the simple upper-casing of .NET's invariant culture: a dotless i stays.
func upperDotNet(c rune) rune {
	if c == 'ı' {
		return c
	}
	return unicode.ToUpper(c)
}

// Digest returns sha1_hex(md5_hex(text)), or sha1_hex(sha256_hex(text)).
func (k Key) Digest(text []byte) string {
	var inner [2 * sha256.Size]byte
	n := 2 * md5.Size
	if k.SHA256 {
		sum := sha256.Sum256(text)
		n = hex.Encode(inner[:], sum[:])
	} else {
		sum := md5.Sum(text)
		hex.Encode(inner[:], sum[:])
	}
	outer := sha1.Sum(inner[:n])
	n = hex.Encode(inner[:], outer[:])
	return string(inner[:n])
}

// UpperASCII returns text with a to z in upper case.
func UpperASCII(text []byte) []byte {
	upper := make([]byte, len(text))
	for i, c := range text {
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		upper[i] = c
	}
	return upper
}

// IsASCII reports whether a text has ASCII characters only.
func IsASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Webhook returns the value of the webhook-signature header (Standard Webhooks, v1) for a callback with a webhook-id, a
// webhook-timestamp (whole seconds) and a body. The secret is "whsec_" and base64.
func Webhook(secret, id string, at time.Time, body []byte) (string, error) {
	encoded, found := strings.CutPrefix(secret, "whsec_")
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !found || err != nil || len(key) == 0 {
		return "", errors.New("the callback secret is not whsec_ and base64")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)), nil
}
