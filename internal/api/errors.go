package api

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"checkout/internal/fault"
)

var errPanic = errors.New("a handler panicked")

// errorBody is the body of the response to an error (protocol.md, Errors).
type errorBody struct {
	Code      int            `json:"error_code"`
	Message   string         `json:"error_message"`
	Errors    []errorElement `json:"errors"`
	Status    string         `json:"status"` // "error": some clients read nothing else (protocol.md, Errors)
	RequestID string         `json:"request_id,omitempty"`
	Hint      any            `json:"hint,omitempty"` // of fault.Error
}

type errorElement struct {
	Code    int    `json:"error_code"`
	Message string `json:"error_message"`
}

const invalidData = "Request data is invalid."

// statuses has the HTTP status and the top-level message of each of the service's error codes. Without a message the
// text of the first fault is used.
var statuses = map[fault.Code]struct {
	status  int
	message string
}{
	fault.CodeInvalid:    {http.StatusBadRequest, invalidData},
	fault.CodeDuplicate:  {http.StatusBadRequest, ""},
	fault.CodeHash:       {http.StatusUnauthorized, invalidData},
	fault.CodeDenied:     {http.StatusForbidden, ""},
	fault.CodeNotFound:   {http.StatusNotFound, invalidData},
	fault.CodeNotAllowed: {http.StatusBadRequest, invalidData},
	fault.CodeTooMany:    {http.StatusTooManyRequests, ""},

	fault.CodeNotAuthentic: {http.StatusUnauthorized, invalidData},
	fault.CodeNotReady:     {http.StatusServiceUnavailable, ""},
	fault.CodeTooEarly:     {http.StatusConflict, ""},
	fault.CodeSignedOut:    {http.StatusUnauthorized, ""},
	fault.CodeConflict:     {http.StatusConflict, ""},
}

// signInPath is where a browser signs in. A response to whoever has to do that names it in the header X-Sign-In.
const signInPath = "/admin/login"

// writeError writes the response to an error. The text of an internal error is not sent; it is in the log, with the
// request id.
func writeError(w http.ResponseWriter, id string, err error) {
	var e *fault.Error
	response, known := statuses[fault.CodeOf(err)]
	if !errors.As(err, &e) || !known {
		writeErrorBody(w, http.StatusInternalServerError, errorBody{
			Message:   "Internal server error.",
			Errors:    []errorElement{{fault.NumberInvalid, "Internal server error."}},
			RequestID: id,
		})
		return
	}
	body := errorBody{Message: response.message, Hint: e.Hint}
	for _, f := range e.Faults {
		body.Errors = append(body.Errors, errorElement{f.Number, f.String()})
	}
	if body.Message == "" {
		body.Message = e.Faults[0].Text
	}
	if e.First {
		body.Message = e.Faults[0].String()
	}
	if e.Code == fault.CodeDuplicate {
		body.Code = e.Faults[0].Number
	}
	if e.Code == fault.CodeSignedOut {
		w.Header().Set("X-Sign-In", signInPath)
	}
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(e.RetryAfter))
	}
	writeErrorBody(w, response.status, body)
}

func writeErrorBody(w http.ResponseWriter, status int, body errorBody) {
	body.Status = "error"
	writeJSON(w, status, body)
}

// faultPaths returns the paths of the faults for the log. The texts are not logged, since they may quote the request.
func faultPaths(err error) string {
	var e *fault.Error
	if !errors.As(err, &e) {
		return ""
	}
	var paths []string
	for _, f := range e.Faults {
		paths = append(paths, f.Path)
	}
	return strings.Join(paths, " ")
}
