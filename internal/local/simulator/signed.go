package simulator

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
)

// bearerKnown checks the key of a request, and refuses another one.
func bearerKnown(w http.ResponseWriter, r *http.Request) bool {
	if r.Header.Get("Authorization") == "Bearer "+Key {
		return true
	}
	refuse(w, http.StatusUnauthorized, "unauthorized", "the key is not known")
	return false
}

// hexSigned is a notice with a JSON body, whose HMAC-SHA-256 with Secret is in X-Signature. It is nil without an
// address.
func hexSigned(address string, body map[string]any) *http.Request {
	text, err := json.Marshal(body)
	if err != nil {
		return nil
	}
	r, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(text))
	if err != nil {
		return nil
	}
	mac := hmac.New(sha256.New, []byte(Secret))
	mac.Write(text)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Signature", hex.EncodeToString(mac.Sum(nil)))
	return r
}

func spoilHexSignature(r *http.Request) {
	r.Header.Set("X-Signature", strings.Repeat("0", 2*sha256.Size))
}
