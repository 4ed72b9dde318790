package lambda

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// maxPayload is the size limit of a response, in bytes.
const maxPayload = 6 << 20

// runtimeAPI is the HTTP API that a function's process talks to.
func (e *environment) runtimeAPI() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /2018-06-01/runtime/invocation/next", e.next)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/response",
		func(w http.ResponseWriter, request *http.Request) {
			e.respond(w, request, "")
		})
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/error", func(w http.ResponseWriter, request *http.Request) {
		e.respond(w, request, "Unhandled")
	})
	mux.HandleFunc("POST /2018-06-01/runtime/init/error", func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxPayload))
		if err == nil {
			e.mu.Lock()
			e.initError = body
			e.mu.Unlock()
		}
		accepted(w)
	})
	return mux
}

func accepted(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusAccepted)
	io.WriteString(w, `{"status":"OK"}`)
}

// next makes the environment idle and waits for a call.
func (e *environment) next(w http.ResponseWriter, request *http.Request) {
	e.mu.Lock()
	was := e.stage
	e.stage = waiting
	if c := e.current; c != nil {
		c.limit.Stop()
		e.finish(c, fault(c.id, "Runtime.NoAnswer", "the function asked for the next call without a response"))
		e.current = nil
	}
	e.mu.Unlock()
	e.function.release(e, was)
	select {
	case c := <-e.inbox:
		deadline := c.began.Add(e.function.spec.Timeout).UnixMilli()
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Lambda-Runtime-Aws-Request-Id", c.id)
		w.Header().Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(deadline, 10))
		w.Header().Set("Lambda-Runtime-Invoked-Function-Arn", e.function.spec.ARN)
		w.Write(c.payload)
	case <-e.gone:
	case <-request.Context().Done():
	}
}

// respond receives the result of the current call.
func (e *environment) respond(w http.ResponseWriter, request *http.Request, failure string) {
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxPayload))
	e.mu.Lock()
	defer e.mu.Unlock()
	c := e.current
	if c == nil || c.id != request.PathValue("id") || c.ended {
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"errorType":"InvalidRequestID","errorMessage":"Invalid request ID"}`)
		return
	}
	if err != nil {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		e.finish(c, fault(c.id, "Function.ResponseSizeTooLarge", fmt.Sprintf("the response exceeds %d bytes", maxPayload)))
		return
	}
	accepted(w)
	e.stage = finishing
	e.function.finish()
	e.finish(c, Result{Payload: body, FunctionError: failure})
}

// finish gives a call its result; later results are ignored. The caller holds the lock.
func (e *environment) finish(c *call, result Result) {
	if c.ended {
		return
	}
	c.ended = true
	f := e.function
	f.count(func(counts *Counts) {
		took := f.host.config.Now().Sub(c.began)
		counts.Duration += took
		for _, line := range f.systemLines(c, took, result) {
			counts.LogBytes += int64(len(line) + EventOverhead)
		}
		if result.FunctionError != "" {
			counts.Errors++
		}
	})
	c.done <- result
}

// fault is the result of a call that failed without a response of the function.
func fault(id, kind, message string) Result {
	if id != "" {
		message = "RequestId: " + id + " Error: " + message
	}
	payload, _ := json.Marshal(map[string]string{"errorType": kind, "errorMessage": message})
	return Result{Payload: payload, FunctionError: "Unhandled"}
}
