package settings

import (
	"strings"

	"checkout/internal/fault"
	"checkout/internal/request"
	"checkout/internal/signature"
)

// HashHint tells whoever integrates with a test key what is signed, and in what a hash differs that is not valid.
// Nothing in it is made with the password, and nobody can have anything signed by it.
type HashHint struct {
	Signed    string `json:"signed"`            // the text that is hashed, with placeholderPassword
	Algorithm string `json:"algorithm"`         // of the hash, over that text
	Differs   string `json:"differs,omitempty"` // hash, text, key or password; text or password; "": the hash is valid
	Text      string `json:"text,omitempty"`    // in which way, for people
}

// placeholderPassword stands for the password in a HashHint.
const placeholderPassword = "<password>"

// HintOf returns what a caller with a test key has to sign, nil for a live key.
func HintOf(m *Merchant, o fault.Owner, parts request.Signed) *HashHint {
	if m == nil || !o.Test {
		return nil
	}
	h := &HashHint{
		Signed:    strings.Join(parts, "") + placeholderPassword,
		Algorithm: "sha1_hex(md5_hex(upper(signed)))",
	}
	if m.SHA256 {
		h.Algorithm = "sha1_hex(sha256_hex(upper(signed)))"
	}
	return h
}

// ErrHash returns the error for a hash that is not valid. With a live key, and with one of nobody, it is the same for
// all; with a test key it has a hint.
func ErrHash(m *Merchant, o fault.Owner, hash string, parts request.Signed) *fault.Error {
	err := fault.ErrHash()
	hint := HintOf(m, o, parts)
	if hint == nil {
		return err
	}
	found := m.hashKey().Mistake(hash, m.TestKey, parts)
	if found.Differs == "" && m.old.password.text != "" {
		found = signature.Key{Password: m.old.password.text, SHA256: m.SHA256}.Mistake(hash, m.TestKey, parts)
	}
	hint.Differs, hint.Text = found.Differs, found.Text
	if hint.Differs == "" {
		hint.Differs = signature.MistakeText + " or " + signature.MistakePassword
		hint.Text = "It is none of the usual mistakes. Compare the text that you hash with this one, character by " +
			"character; if they are the same, your password is another one."
	}
	err.Hint = hint
	return err
}
