package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode"
)

// The codes that the command exits with.
const (
	exitDone = iota
	exitFailed
	exitMisused
	exitNotAllowed
	exitNotFound
)

// misuse is an error of whoever typed the command.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

func misusef(format string, args ...any) error { return misuse{fmt.Errorf(format, args...)} }

// refusal is a response of the API that is no success.
type refusal struct {
	Status    int    `json:"-"`
	RequestID string `json:"-"`
	Wait      int    `json:"-"` // seconds before the next try; 0: not said
	Code      int    `json:"error_code"`
	Message   string `json:"error_message"`
	Plain     string `json:"message"` // of API Gateway itself
	Errors    []struct {
		Code    int    `json:"error_code"`
		Message string `json:"error_message"` // with the path in front
	} `json:"errors"`
	Hint edited `json:"hint"` // of settings that somebody else has changed
}

// refusalOf reads a response that is no success.
func refusalOf(status int, header http.Header, body []byte) *refusal {
	r := &refusal{}
	if err := json.Unmarshal(body, r); err != nil {
		r = &refusal{Message: "the response is no JSON"}
	}
	r.Status, r.RequestID = status, header.Get("X-Request-Id")
	if r.RequestID == "" {
		r.RequestID = header.Get("Apigw-Requestid")
	}
	if seconds, err := strconv.Atoi(header.Get("Retry-After")); err == nil {
		r.Wait = max(0, seconds)
	}
	return r
}

func (r *refusal) Error() string {
	text := r.Message
	if text == "" {
		text = r.Plain
	}
	var lines strings.Builder
	fmt.Fprintf(&lines, "%s (status %d", printable(text), r.Status)
	if r.RequestID != "" {
		fmt.Fprintf(&lines, ", request %s", printable(r.RequestID))
	}
	lines.WriteString(")")
	for _, e := range r.Errors {
		fmt.Fprintf(&lines, "\n  %d %s", e.Code, printable(e.Message))
	}
	for _, change := range r.Hint.Changes {
		fmt.Fprintf(&lines, "\n  meanwhile: %s", printable(change.String()))
	}
	return lines.String()
}

// report prints an error and returns the code that the command exits with.
func (c *call) report(err error) int {
	if err == nil {
		return exitDone
	}
	fmt.Fprintln(c.notes, "checkout:", err)
	return exitCode(err)
}

func exitCode(err error) int {
	var wrong misuse
	var refused *refusal
	var aws interface{ ErrorCode() string }
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &wrong):
		return exitMisused
	case errors.As(err, &refused) && (refused.Status == http.StatusForbidden || refused.Status == http.StatusUnauthorized),
		errors.As(err, &aws) && strings.HasPrefix(aws.ErrorCode(), "AccessDenied"), errors.Is(err, errSignedOut):
		return exitNotAllowed
	case errors.As(err, &refused) && refused.Status == http.StatusNotFound, errors.Is(err, errNothing):
		return exitNotFound
	}
	return exitFailed
}

// errNothing says that nothing is there of what was looked for.
var errNothing = errors.New("nothing was found")

// printable is a text without what a terminal would obey.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
}
