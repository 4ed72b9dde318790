package simulator

import (
	"bytes"
	"net/http"
	"strconv"
	"time"
)

// respond sends a response, with the fault of its operation.
func (s *Simulator) respond(w http.ResponseWriter, r *http.Request, e *exchange) {
	body := e.response.Body.Bytes()
	switch e.fault {
	case NeverResponds:
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case DropsConnection, LosesRequest:
		panic(http.ErrAbortHandler)
	case RespondsLate:
		s.Pause(r.Context(), lateness)
	case BrokenJSON:
		body = body[:len(body)/2]
	case TooManyRequests:
		w.Header().Set("Retry-After", "1")
		writeError(w, http.StatusTooManyRequests, "too many requests")
		return
	case ServerError:
		writeError(w, http.StatusInternalServerError, "internal error")
		return
	case FoundLate:
		writeError(w, http.StatusBadGateway, "bad gateway")
		return
	case NoticeFirst:
		if e.operation != nil {
			s.sendNotice(*e.operation)
		}
	}
	for name, values := range e.response.Header() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(e.response.Code)
	if e.fault == SlowDrip {
		s.drip(w, r, body)
		return
	}
	_, _ = bytes.NewReader(body).WriteTo(w)
}

func (s *Simulator) drip(w http.ResponseWriter, r *http.Request, body []byte) {
	for i := range body {
		if _, err := w.Write(body[i : i+1]); err != nil || r.Context().Err() != nil {
			return
		}
		_ = http.NewResponseController(w).Flush()
		s.Pause(r.Context(), time.Second)
	}
}
