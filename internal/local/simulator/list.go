package simulator

import (
	"html/template"
	"net/http"
	"slices"
)

// Families returns the names of the families that are played, which are the first parts of their paths.
func (s *Simulator) Families() []string {
	var names []string
	for _, f := range s.families {
		names = append(names, f.name)
	}
	slices.Sort(names)
	return names
}

// showList shows what is played, the choices, and the last operations with their notices.
func (s *Simulator) showList(w http.ResponseWriter, status int, wrong string) {
	view := listView{
		Style: template.CSS(pageStyle), Chances: s.chance(), Wrong: wrong,
		Kinds: []Kind{Charge, Payout, Capture, Void, Refund, Other},
	}
	view.Families = s.Families()
	for _, f := range faultsExplained {
		view.Faults = append(view.Faults, f.Fault)
	}
	for _, c := range choices {
		view.Choices = append(view.Choices, choiceView{"…" + c.amount[:1] + "." + c.amount[1:], c.card, c.happens()})
	}
	notices := map[string][]SentNotice{}
	for _, n := range s.Notices() {
		notices[n.Operation] = append(notices[n.Operation], n)
	}
	all := s.Operations()
	for _, o := range slices.Backward(all[max(0, len(all)-shownLast):]) {
		view.Operations = append(view.Operations, operationView{s.shown(o), possible(o), notices[o.ID]})
	}
	showPage(w, status, page{"list", view, ""})
}
