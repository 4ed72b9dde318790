package endpoint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
)

// services maps the prefix of X-Amz-Target to the service.
var services = map[string]string{"DynamoDB_20120810": "dynamodb", "AmazonSQS": "sqs", "TrentService": "kms"}

var credential = regexp.MustCompile(`Credential=([^/,]+)/`)

// ServeHTTP finds the caller of a request, checks its permissions and runs the request.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		failure("RequestEntityTooLarge", "the request is too large").write(w)
		return
	}
	q := request{http: r, body: body}
	prefix, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	q.service, q.operation = services[prefix], operation
	if operation := s3Operation(r); operation != "" {
		q.service, q.operation = "s3", operation
	}
	isSTS := q.service == "" && isCallerIdentity(r, body)
	if q.service == "" && !isSTS {
		failure("UnknownOperationException",
			fmt.Sprintf("the local endpoint does not know %q", r.Header.Get("X-Amz-Target"))).write(w)
		return
	}
	if key := credential.FindStringSubmatch(r.Header.Get("Authorization")); key != nil {
		q.caller, q.admin = e.config.Callers[key[1]], key[1] == AdminKey
	}
	if q.caller.Name == "" && !q.admin {
		failure("UnrecognizedClientException", "The security token included in the request is invalid.").write(w)
		return
	}
	if isSTS {
		e.callerIdentity(q).write(w)
		return
	}
	if refused := e.refuse(q); refused != nil {
		refused.write(w)
		return
	}
	e.run(w, q)
}

// run passes a request to its engine and counts it, with the faults that a test has injected.
func (e *Endpoint) run(w http.ResponseWriter, q request) {
	var f *Fault
	if !q.admin {
		f = e.faults.next(q)
	}
	if f != nil {
		switch f.Do {
		case Refuse:
			f.response().write(w)
			return
		case Delay:
			if !wait(q.http.Context(), f.Delay) {
				return
			}
		case KillBefore:
			e.config.Kill(q.caller.Name)
			panic(http.ErrAbortHandler)
		}
	}
	r := e.send(q)
	indexWrites := e.indexes.writes(q, r)
	if !q.admin {
		e.counts.add(q, r, indexWrites)
	}
	if f != nil && f.Do == KillAfter {
		e.config.Kill(q.caller.Name)
	}
	if f != nil && (f.Do == KillAfter || f.Do == DropResponse) {
		panic(http.ErrAbortHandler) // closes the connection without a byte
	}
	r.write(w)
}

// send sends a request to the engine of its service.
func (e *Endpoint) send(q request) response {
	switch q.service {
	case "kms":
		return e.kms.run(q)
	case "s3":
		return e.buckets.run(q)
	case "dynamodb":
		return e.forward(q, e.config.DynamoDB, withMember(q.body, "ReturnConsumedCapacity", measured(q.operation)))
	}
	body := q.body
	if url, ok := e.config.Queues[queueName(q.body)]; ok {
		body = withMember(q.body, "QueueUrl", url)
	}
	return e.forward(q, e.config.SQS, body)
}

// forward sends a request to an engine, always under the same key: DynamoDB Local may separate tables by key.
func (e *Endpoint) forward(q request, url string, body []byte) response {
	// Without the caller's context: a function that is killed has sent its request, and the engine gets it.
	r, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return failure("InternalServerError", err.Error())
	}
	for _, name := range []string{"Content-Type", "X-Amz-Target", "X-Amz-Date"} {
		r.Header.Set(name, q.http.Header.Get(name))
	}
	r.Header.Set("Authorization",
		credential.ReplaceAllString(q.http.Header.Get("Authorization"), "Credential="+AdminKey+"/"))
	reply, err := e.client.Do(r)
	if err != nil {
		return broken("the engine did not respond")
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return broken("the engine's response is incomplete")
	}
	header := http.Header{}
	for _, name := range []string{"Content-Type", "X-Amzn-Requestid", "X-Amzn-Query-Error"} {
		if value := reply.Header.Get(name); value != "" {
			header.Set(name, value)
		}
	}
	return response{status: reply.StatusCode, header: header, body: text}
}

// withMember sets a member of a JSON object; an empty value leaves the object as it is.
func withMember(body []byte, name, value string) []byte {
	var object map[string]json.RawMessage
	if value == "" || json.Unmarshal(body, &object) != nil || object == nil {
		return body // the engine says what is wrong with it
	}
	object[name], _ = json.Marshal(value)
	changed, err := json.Marshal(object)
	if err != nil {
		return body
	}
	return changed
}
