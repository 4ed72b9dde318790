// Package endpoint is the one AWS endpoint of a local run. It knows every function by its access key id, refuses what
// the function's policies in the template do not allow, passes DynamoDB and SQS on to their local engines, plays KMS
// and S3 itself, counts what AWS would charge for, and breaks calls on demand so that tests can see what happens then.
package endpoint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"checkout/internal/local/cloud/template"
)

// AdminKey is the access key id that may do everything and is not counted.
const AdminKey = "local"

// maxBody is above the limits that DynamoDB and SQS have for a request, in bytes.
const maxBody = 20 << 20

// Caller is a function as the endpoint sees it.
type Caller struct {
	Name     string // of the function
	FullName string // AWS_LAMBDA_FUNCTION_NAME, for messages
	RoleARN  string
	Policies []template.Statement // of its role
}

// Config says who may call and what is behind.
type Config struct {
	Region   string
	Account  string
	DynamoDB string                // URL of the engine
	SQS      string                // URL of the engine
	Callers  map[string]Caller     // by access key id
	Queues   map[string]string     // the engine's URL of each queue, by name
	Tables   []template.Table      //
	Keys     []template.Key        //
	Buckets  []template.Bucket     //
	Now      func() time.Time      // default: time.Now
	Kill     func(name string) int // ends all environments of a function and waits

	// Needed is called with every permission that a caller's requests need; it may be nil.
	Needed func(caller, action, resource string, context template.Context)
}

// Endpoint is an HTTP handler that speaks the JSON protocols of DynamoDB, SQS and KMS, GetCallerIdentity of STS, and S3
// with the bucket in the path.
type Endpoint struct {
	config  Config
	client  *http.Client
	kms     *keyService
	buckets *buckets
	indexes *indexes
	counts  counter
	faults  faults
}

// New makes an endpoint with fresh keys.
func New(config Config) (*Endpoint, error) {
	kms, err := newKeyService(config.Keys)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 256}
	if config.Now == nil {
		config.Now = time.Now
	}
	return &Endpoint{
		config: config, client: &http.Client{Transport: transport}, kms: kms, indexes: newIndexes(config.Tables),
		buckets: &buckets{all: config.Buckets, objects: map[string][]version{}, now: config.Now},
	}, nil
}

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
