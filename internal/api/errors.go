package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"checkout/internal/request"
)

var errPanic = errors.New("a handler panicked")

// errorBody is the one body of all errors (decisions.md 4).
type errorBody struct {
	Code      int            `json:"error_code"`
	Message   string         `json:"error_message"`
	Errors    []errorElement `json:"errors"`
	Status    string         `json:"status"` // "error": some clients look at nothing else (decisions.md 11)
	RequestID string         `json:"request_id,omitempty"`
}

type errorElement struct {
	Code    int    `json:"error_code"`
	Message string `json:"error_message"`
}

const invalidData = "Request data is invalid."

// statuses is the one translation of the service's codes to HTTP and to the
// top-level message; "" takes the text of the first fault.
var statuses = map[request.Code]struct {
	status  int
	message string
}{
	request.CodeInvalid:    {http.StatusBadRequest, invalidData},
	request.CodeDuplicate:  {http.StatusBadRequest, ""},
	request.CodeHash:       {http.StatusUnauthorized, invalidData},
	request.CodeDenied:     {http.StatusForbidden, ""},
	request.CodeNotFound:   {http.StatusNotFound, invalidData},
	request.CodeNotAllowed: {http.StatusBadRequest, invalidData},
	request.CodeTooMany:    {http.StatusTooManyRequests, ""},

	request.CodeNotAuthentic: {http.StatusUnauthorized, invalidData},
}

// answerError returns an error. One without a code loses its text: it is in
// the log, beside the request id.
func answerError(w http.ResponseWriter, id string, err error) {
	var e *request.Error
	translated, known := statuses[request.ErrorCode(err)]
	if !errors.As(err, &e) || !known {
		writeError(w, http.StatusInternalServerError, errorBody{
			Message:   "Internal server error.",
			Errors:    []errorElement{{request.FaultInvalid, "Internal server error."}},
			RequestID: id,
		})
		return
	}
	body := errorBody{Message: translated.message}
	for _, f := range e.Faults {
		body.Errors = append(body.Errors, errorElement{f.Code, f.String()})
	}
	if body.Message == "" {
		body.Message = e.Faults[0].Text
	}
	if e.First {
		body.Message = e.Faults[0].String()
	}
	if e.Code == request.CodeDuplicate {
		body.Code = e.Faults[0].Code
	}
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(e.RetryAfter))
	}
	writeError(w, translated.status, body)
}

// invalid is the error of a request that is refused before the service sees it.
func invalid(path, text string) error {
	return &request.Error{Code: request.CodeInvalid, Faults: []request.Fault{{Code: request.FaultInvalid, Path: path, Text: text}}}
}

// errDirect is the error of a request that did not come through CloudFront.
func errDirect() error {
	return &request.Error{Code: request.CodeDenied, Faults: []request.Fault{{Code: request.FaultInvalid, Text: "Access denied."}}}
}

func writeError(w http.ResponseWriter, status int, body errorBody) {
	body.Status = "error"
	writeJSON(w, status, body)
}

// writeJSON returns a value as JSON. A failure to send it is the client's loss and not ours to report.
func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value)
}

// faultPaths names the fields of an error for the log: paths are ours, texts may quote the request.
func faultPaths(err error) string {
	var e *request.Error
	if !errors.As(err, &e) {
		return ""
	}
	var paths []string
	for _, f := range e.Faults {
		paths = append(paths, f.Path)
	}
	return strings.Join(paths, " ")
}
