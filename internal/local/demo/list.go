package demo

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// list is a table of callbacks, newest first.
type list struct {
	Order string // "": of all orders
	Last  int    // number of the newest callback that the shop has
	Rows  []shown
	Older int // how many more there are
}

// shown is a callback to show.
type shown struct {
	received
	Number int
	Fields []pair
}

// Field returns one field of the callback.
func (s shown) Field(name string) string { return s.received.fields[name] }

// Time is when the callback came, in UTC.
func (s shown) Time() string { return s.received.at.Format("15:04:05") }

// Webhook returns the headers that the signature is about.
func (s shown) Webhook() []pair {
	var rows []pair
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		if value := s.received.Headers[name]; value != "" {
			rows = append(rows, pair{name, value})
		}
	}
	return rows
}

// list returns up to most callbacks of an order, of all orders for "".
func (s *Shop) list(number string, most int) list {
	l := list{Order: number}
	found := s.callbacksOf(number)
	slices.Reverse(found)
	for i, in := range found {
		l.Last = max(l.Last, in.number)
		if i == most {
			l.Older = len(found) - most
			break
		}
		c := shown{received: in, Number: in.number}
		var body any
		if json.Unmarshal(in.Body, &body) == nil {
			c.Fields = pairs("", body)
		}
		l.Rows = append(l.Rows, c)
	}
	return l
}

// callbacks is GET /demo/callbacks: all of them, or those of ?order=NUMBER. Browsers get a page, programs a JSON list,
// oldest first.
func (s *Shop) callbacks(w http.ResponseWriter, r *http.Request) {
	number := r.FormValue("order")
	w.Header().Set("Vary", "Accept")
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		show(w, http.StatusOK, "callbacks.html", struct {
			top
			Callbacks list
			Receivers []receiver
		}{s.top("/demo/callbacks"), s.list(number, maxRecent), receivers})
		return
	}
	w.Header().Set("Content-Type", "application/json")
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s.callbacksOf(number)) // fails if the connection is closed
}

// newRows is GET /demo/callbacks/rows: a table of the callbacks that came after ?after=NUMBER, for the page's script.
func (s *Shop) newRows(w http.ResponseWriter, r *http.Request) {
	after, err := strconv.Atoi(r.FormValue("after"))
	if err != nil {
		http.Error(w, "after is no number", http.StatusBadRequest)
		return
	}
	l := s.list(r.FormValue("order"), maxRecent)
	l.Rows = slices.DeleteFunc(l.Rows, func(c shown) bool { return c.Number <= after })
	if len(l.Rows) == 0 {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	show(w, http.StatusOK, "callback-table", l)
}

// check is the result of one of the shop's checks.
type check struct {
	Name string
	OK   bool
}

// Check returns the result of a check, for the page.
func (shown) Check(name string, ok bool) check { return check{name, ok} }
