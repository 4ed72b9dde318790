package demo

import (
	"net/http"
	"path/filepath"
	"slices"
)

// receiver is a program that receives callbacks, a file of infra/receivers.
type receiver struct{ Language, File string }

// receivers are those that the page of callbacks leads to.
var receivers = []receiver{
	{"PHP", "receiver.php"}, {"Python", "receiver.py"}, {"JavaScript", "receiver.mjs"}, {"Go", "receiver.go"},
	{"Java", "Receiver.java"}, {"C#", "Receiver.cs"},
}

// receiver is GET /demo/receiver/{file}: the text of a receiver.
func (s *Shop) receiver(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	if !slices.ContainsFunc(receivers, func(one receiver) bool { return one.File == name }) {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	http.ServeFile(w, r, filepath.Join(s.config.Infra, "receivers", name))
}
