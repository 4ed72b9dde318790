package api

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"checkout/internal/request"
)

var errPanic = errors.New("a handler panicked")

// errorBody is the body of the response to an error (protocol.md, Errors).
type errorBody struct {
	Code      int            `json:"error_code"`
	Message   string         `json:"error_message"`
	Errors    []errorElement `json:"errors"`
	Status    string         `json:"status"` // "error": some clients read nothing else (protocol.md, Errors)
	RequestID string         `json:"request_id,omitempty"`
	Hint      any            `json:"hint,omitempty"` // with a test key: what a hash has to sign
}

type errorElement struct {
	Code    int    `json:"error_code"`
	Message string `json:"error_message"`
}

const invalidData = "Request data is invalid."

// statuses has the HTTP status and the top-level message of each of the service's error codes. Without a message the
// text of the first fault is used.
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
	request.CodeNotReady:     {http.StatusServiceUnavailable, ""},
	request.CodeTooEarly:     {http.StatusConflict, ""},
}

// writeError writes the response to an error. The text of an internal error is not sent; it is in the log, with the
// request id.
func writeError(w http.ResponseWriter, id string, err error) {
	var e *request.Error
	response, known := statuses[request.ErrorCode(err)]
	if !errors.As(err, &e) || !known {
		writeErrorBody(w, http.StatusInternalServerError, errorBody{
			Message:   "Internal server error.",
			Errors:    []errorElement{{request.FaultInvalid, "Internal server error."}},
			RequestID: id,
		})
		return
	}
	body := errorBody{Message: response.message, Hint: e.Hint}
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
	writeErrorBody(w, response.status, body)
}

// invalid returns the error of a request that is rejected before the service reads it.
func invalid(path, text string) error {
	return &request.Error{
		Code:   request.CodeInvalid,
		Faults: []request.Fault{{Code: request.FaultInvalid, Path: path, Text: text}},
	}
}

// errDirect returns the error of a request that did not come through CloudFront.
func errDirect() error {
	return &request.Error{
		Code:   request.CodeDenied,
		Faults: []request.Fault{{Code: request.FaultInvalid, Text: "Access denied."}},
	}
}

func writeErrorBody(w http.ResponseWriter, status int, body errorBody) {
	body.Status = "error"
	writeJSON(w, status, body)
}

// faultPaths returns the paths of the faults for the log. The texts are not logged, since they may quote the request.
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
