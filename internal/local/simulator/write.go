package simulator

import (
	"encoding/json"
	"net/http"
)

// writeJSON sends a response.
func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// writeError sends an error that belongs to no family.
func writeError(w http.ResponseWriter, status int, text string) {
	writeJSON(w, status, map[string]string{"error": text})
}

// wrongInput is an error of whoever made a control call, in words for that person.
type wrongInput string
