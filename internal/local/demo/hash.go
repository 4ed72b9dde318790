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
	outer := sha1.Sum([]byte(c.innerHash(upper(strings.Join(parts, "") + c.Password))))
	return hex.EncodeToString(outer[:])
}

// innerHash is md5_hex, or sha256_hex with the merchant's SHA-256 setting.
func (c Config) innerHash(text string) string {
	if c.SHA256 {
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:])
	}
	sum := md5.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
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
