package demo

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// hash is sha1_hex(md5_hex(upper(parts and password))), or with sha256 instead of md5.
func (c Config) hash(upper func(string) string, parts ...string) string {
	text := []byte(upper(strings.Join(parts, "") + c.Password))
	var inner string
	if c.SHA256 {
		sum := sha256.Sum256(text)
		inner = hex.EncodeToString(sum[:])
	} else {
		sum := md5.Sum(text)
		inner = hex.EncodeToString(sum[:])
	}
	outer := sha1.Sum([]byte(inner))
	return hex.EncodeToString(outer[:])
}

// upperASCII upper-cases a to z and nothing else, as in hashes of the service.
func upperASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, text)
}
