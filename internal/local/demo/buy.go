package demo

import (
	"encoding/json"
	"errors"
	"net/http"
)

// window is the data of shop.html.
type window struct {
	top
	Form       form
	Operations []pair
	Languages  []pair
	Schedules  []Schedule
	Groups     []group
	Methods    int
	Cards      []TestCard
	First      int // how many cards are shown at once
	Outcomes   []Outcome
	Declines   []Outcome
	Callbacks  list
	Problem    string
	Faults     []string
	Open       bool // the options are unfolded

	SimulatorURL string // of the providers of the live key; "": unknown
}

// Product is what the shop sells.
func (window) Product() any { return product }

// window is GET /demo.
func (s *Shop) window(w http.ResponseWriter, _ *http.Request) {
	s.showWindow(w, http.StatusOK, window{Form: newForm()})
}

// latest is how many callbacks the shop's first page shows.
const latest = 5

func (s *Shop) showWindow(w http.ResponseWriter, status int, data window) {
	data.top, data.SimulatorURL = s.top("/demo"), s.config.SimulatorURL
	data.Operations, data.Languages, data.Schedules = operations, languages, s.config.Schedules
	data.Groups, data.Methods = s.methods.groups(), len(s.methods)
	data.Cards, data.First, data.Outcomes, data.Declines = TestCards, 7, TestOutcomes, TestDeclines()
	data.Callbacks = s.list("", latest)
	show(w, status, "shop.html", data)
}

// buy is POST /demo/buy: it creates a session and redirects the buyer to the checkout page, or to a page that has it in
// a frame. Buyers who only want to see the request are redirected to the playground.
func (s *Shop) buy(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, mostBody)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "not readable", http.StatusBadRequest)
		return
	}
	if r.PostForm.Has("show") {
		r.PostForm.Del("show")
		http.Redirect(w, r, "/demo/playground?"+r.PostForm.Encode(), http.StatusSeeOther)
		return
	}
	f := s.readForm(r.PostForm)
	text, err := json.Marshal(s.session(f))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	request, err := parseTree(string(text))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	page, err := s.create(r.Context(), s.sign(request, f.Live))
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		data := window{Form: f, Problem: refused.Error(), Open: true}
		for _, fault := range refused.Errors {
			data.Faults = append(data.Faults, fault.Message)
		}
		s.showWindow(w, http.StatusUnprocessableEntity, data)
	case err != nil:
		s.showWindow(w, http.StatusBadGateway, window{Form: f, Problem: err.Error()})
	case f.Frame && page.Page != "":
		http.Redirect(w, r, "/demo/frame?order="+page.Number, http.StatusSeeOther)
	case page.Page != "":
		http.Redirect(w, r, page.Page, http.StatusSeeOther)
	default: // a payout to a saved card has no page
		http.Redirect(w, r, "/demo/return/order?order="+page.Number, http.StatusSeeOther)
	}
}
