package endpoint

import (
	"encoding/json"
	"errors"
	"hash/crc32"
	"net/http"
	"strconv"

	"checkout/internal/local/cloud/template"
)

// request is one call of an AWS operation.
type request struct {
	http      *http.Request
	caller    Caller
	admin     bool
	service   string // dynamodb, sqs, kms or s3
	operation string // PutItem
	body      []byte
}

func (q request) name() string { return q.service + ":" + q.operation }

// response is what the caller gets.
type response struct {
	status int
	header http.Header
	body   []byte
}

// failure is an error response of the JSON protocols.
func failure(kind, message string) response {
	body, _ := json.Marshal(map[string]string{"__type": kind, "message": message})
	return response{status: http.StatusBadRequest, body: body}
}

// broken is the response of a service that fails itself.
func broken(message string) response {
	r := failure("InternalServerError", message)
	r.status = http.StatusInternalServerError
	return r
}

// faulty is the response to a request that can't be understood or names no key.
func faulty(err error) response {
	if fault, ok := errors.AsType[*keyFault](err); ok {
		return failure(fault.kind, fault.text)
	}
	return failure("ValidationException", err.Error())
}

func success(out any) response {
	body, err := json.Marshal(out)
	if err != nil {
		return failure("KMSInternalException", err.Error())
	}
	return response{status: 200, header: map[string][]string{"Content-Type": {"application/x-amz-json-1.1"}}, body: body}
}

// keyFault says why a request names no key, in the words of KMS.
type keyFault struct{ kind, text string }

func (r response) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	// All responses of DynamoDB have it, and the SDK warns of one without it. DynamoDB Local leaves it out of errors.
	w.Header().Set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE(r.body)), 10))
	for name, values := range r.header {
		w.Header()[name] = values
	}
	w.WriteHeader(r.status)
	w.Write(r.body)
}

func (f *keyFault) Error() string { return f.text }

// UserARN is the ARN of a user of an account. The administrator is the user with the name AdminKey.
func UserARN(account, name string) string { return "arn:aws:iam::" + account + ":user/" + name }

// session is the ARN of the caller as whoever has assumed its role.
func (q request) session(account string) string {
	role := q.caller.FullName + "Role"
	return "arn:aws:sts::" + account + ":assumed-role/" + role + "/" + q.caller.FullName
}

// Caller is a function as the endpoint sees it.
type Caller struct {
	Name     string // of the function
	FullName string // AWS_LAMBDA_FUNCTION_NAME, for messages
	RoleARN  string
	Policies []template.Statement // of its role
}
