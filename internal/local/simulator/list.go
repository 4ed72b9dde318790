package simulator

import (
	"html/template"
	"net/http"
	"slices"
	"strconv"
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

// change does what a form of the list says, and shows the list again.
func (s *Simulator) change(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 1<<16)
	var err error
	switch r.FormValue("form") {
	case "act":
		_, err = s.act(r.FormValue("id"), Choice(r.FormValue("choice")))
	case "next":
		n := Next{Family: r.FormValue("family"), Kind: Kind(r.FormValue("kind")), Fault: Fault(r.FormValue("fault"))}
		if err = s.wrongNext(n); err == nil {
			s.Expect(n)
		}
	case "chance":
		err = s.changeChance(r.FormValue("seed"), r.FormValue("chance"))
	case "reset":
		s.Reset()
	default:
		err = wrongInput("the form is not known")
	}
	if err != nil {
		s.showList(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (s *Simulator) changeChance(seedText, chanceText string) error {
	seed, seedErr := strconv.ParseUint(seedText, 10, 64)
	chance, chanceErr := strconv.ParseUint(chanceText, 10, 7)
	if seedErr != nil || chanceErr != nil || chance > 100 {
		return wrongInput("the seed is a number of 0 and more, and the chance one of 0 to 100")
	}
	s.setChance(Chances{seed, int(chance)})
	return nil
}
