// Package endpoint is the one AWS endpoint of a local run. It knows every function by its access key id, refuses what
// the function's policies in the template do not allow, passes DynamoDB and SQS on to their local engines, plays KMS
// and S3 itself, counts what AWS would charge for, and breaks calls on demand so that tests can see what happens then.
package endpoint

import (
	"maps"
	"net/http"
	"time"

	"checkout/internal/local/cloud/template"
)

// AdminKey is the access key id that may do everything and is not counted.
const AdminKey = "local"

// maxBody is above the limits that DynamoDB and SQS have for a request, in bytes.
const maxBody = 20 << 20

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

// Counts of every function that has called.
func (e *Endpoint) Counts() map[string]Counts {
	e.counts.mu.Lock()
	defer e.counts.mu.Unlock()
	all := map[string]Counts{}
	for name, used := range e.counts.used {
		copied := *used
		copied.Requests = maps.Clone(used.Requests)
		all[name] = copied
	}
	return all
}

// Reset begins to count anew.
func (e *Endpoint) Reset() {
	e.counts.mu.Lock()
	defer e.counts.mu.Unlock()
	e.counts.used = nil
}

// Inject makes a fault active. Of several that match a call, the one injected first breaks it.
func (e *Endpoint) Inject(f Fault) *Injected {
	f.Times = max(f.Times, 1)
	injected := &Injected{fault: &f, all: &e.faults}
	e.faults.mu.Lock()
	defer e.faults.mu.Unlock()
	e.faults.active = append(e.faults.active, injected)
	return injected
}
