package api

import (
	"encoding/json"
	"net/http"

	"checkout/internal/checkout"
	"checkout/internal/form"
	"checkout/internal/request"
	"checkout/internal/screen"
)

// nextScreen is GET /page/v1/{session}.
func (a *API) nextScreen(w http.ResponseWriter, r *http.Request) error {
	screen, err := a.Service.NextScreen(r.Context(), r.PathValue("session"))
	return answerScreen(w, screen, err)
}

// pay is POST /page/v1/{session}/pay.
func (a *API) pay(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	var pay form.Request
	if len(body) > request.MaxBody || json.Unmarshal(body, &pay) != nil {
		return invalid("", invalidData)
	}
	screen, err := a.Service.Pay(r.Context(), r.PathValue("session"), pay, payerIP(r))
	return answerScreen(w, screen, err)
}

// answer is POST /page/v1/{session}/answer.
func (a *API) answer(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	var answer checkout.SecondForm
	if len(body) > request.MaxBody || json.Unmarshal(body, &answer) != nil {
		return invalid("", invalidData)
	}
	screen, err := a.Service.SubmitSecondForm(r.Context(), r.PathValue("session"), answer)
	return answerScreen(w, screen, err)
}

// cancel is POST /page/v1/{session}/cancel.
func (a *API) cancel(w http.ResponseWriter, r *http.Request) error {
	screen, err := a.Service.Cancel(r.Context(), r.PathValue("session"))
	return answerScreen(w, screen, err)
}

func answerScreen(w http.ResponseWriter, screen screen.Screen, err error) error {
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, screen)
	return nil
}

// payerReturned is GET /page/v1/{session}/return, where providers send the payer back to.
func (a *API) payerReturned(w http.ResponseWriter, r *http.Request) error {
	url, err := a.Service.PayerReturned(r.Context(), r.PathValue("session"))
	if err != nil {
		return err
	}
	http.Redirect(w, r, url, http.StatusSeeOther)
	return nil
}
