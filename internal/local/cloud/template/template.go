// Package template reads the SAM template as far as a local run needs it: which functions there are, with which
// environment and policies, and which routes, tables, queues, keys, schedules and CloudFront behaviours lead to them.
// It works on YAML nodes, so that every fault names its place in the file. What it can't resolve is an error and
// never an empty text: a missing variable or a mistyped name fails here, not at the next deployment.
package template

import (
	"fmt"
	"time"
)

// Options are the values which AWS would fill in.
type Options struct {
	Parameters map[string]string        // values for the template's Parameters; absent ones take their Default
	StackName  string                   // AWS::StackName, and the prefix of every name that the template leaves open
	Region     string                   // AWS::Region
	Account    string                   // AWS::AccountId
	Domains    map[string]string        // DomainName of a distribution by its logical id: host and port of a local gateway
	QueueURL   func(name string) string // the URL of a queue
}

// Template is the stack, resolved.
type Template struct {
	Parameters []Parameter
	Functions  []Function
	Tables     []Table
	Queues     []Queue
	Keys       []Key
	Buckets    []Bucket
	Sites      map[string]Site // by the logical id of the distribution
	APIs       map[string]API  // by the logical id of the HTTP API
}

// Parameter is one parameter with the value that was given, else its Default.
type Parameter struct{ Name, Value string }

// Function is one Lambda function.
type Function struct {
	ID          string            // logical id
	Name        string            // folder of its binary, and its name in the local cloud
	FullName    string            // AWS_LAMBDA_FUNCTION_NAME
	ARN         string            //
	Alias       string            // that is published with every release; empty without one
	Handler     string            //
	Timeout     time.Duration     //
	MemoryMB    int               //
	SystemLog   string            // level of Lambda's own log lines, such as INFO
	Concurrency int               // ReservedConcurrentExecutions; -1 when unset
	Environment map[string]string //
	RoleARN     string            //
	Policies    []Statement       // of its role
	Queues      []QueueEvent      //
	Streams     []StreamEvent     //
	Schedules   []ScheduleEvent   //
}

// Statement is one statement of a policy.
type Statement struct {
	Deny      bool
	Actions   []string // with * and ?
	Resources []string // ARNs with * and ?

	Conditions []Condition // all have to be true
}

// QueueEvent maps a queue to a function.
type QueueEvent struct {
	ID             string        // name of the event
	Place          string        // in the template, of the queue
	QueueARN       string        //
	BatchSize      int           // messages per call
	Window         time.Duration // how long a batch may wait to fill up
	MaxConcurrency int           // calls at the same time; 0 when unset
	PartialBatch   bool          // the function reports which messages failed
}

// StreamEvent maps the stream of a table to a function.
type StreamEvent struct {
	ID           string           // name of the event
	TableName    string           //
	StreamARN    string           // as the template has it; the engine's is another
	BatchSize    int              // records per call
	Window       time.Duration    // how long a batch may wait to fill up
	PartialBatch bool             // the function reports the first record that failed
	Bisect       bool             // a batch that failed is halved
	Retries      int              // of a batch that failed
	OnFailure    string           // ARN of the queue that is told of a batch given up; empty without one
	Filters      []map[string]any // a record is passed on if one of them fits; none: every record
}

// ScheduleEvent is a schedule of a function.
type ScheduleEvent struct {
	ID    string
	Every time.Duration
}

// The logical ids of the HTTP APIs that a local run serves.
const (
	PublicAPI = "Api"
	AdminAPI  = "AdminApi"
)

// API is one HTTP API.
type API struct {
	ARN       string // of its stage, in front of /METHOD/path
	Routes    []Route
	AccessLog string // format of its access log; empty without one
}

// Route is one route of an HTTP API.
type Route struct {
	Method   string // or ANY; empty for the $default route
	Path     string // with {name} and {name+}; $default for the $default route
	Function string // name of the function
	Signed   bool   // callers sign their requests, and IAM decides which they may make
}

// Table is one DynamoDB table.
type Table struct {
	ID         string
	Name       string
	ARN        string
	Definition map[string]any // the request of CreateTable
	TTL        string         // attribute with the time of expiry; empty without one
	StreamARN  string         // empty without a stream
}

// isCalled reports whether a caller may use a name for the function. A function with an alias is called by the alias
// only: otherwise a caller would get a new release at once.
func (f Function) isCalled(name string) bool {
	if f.Alias != "" {
		return name == f.ARN+":"+f.Alias
	}
	return name == f.FullName || name == f.ARN
}

// Queue is one SQS queue.
type Queue struct {
	ID         string
	Name       string
	ARN        string
	URL        string
	Attributes map[string]string // as in CreateQueue, without the RedrivePolicy
	DeadLetter string            // ARN of the queue for messages that failed too often; empty without one
	MaxReceive int               // deliveries before that
}

// Visibility is how long a received message stays hidden from others.
func (q Queue) Visibility() time.Duration {
	seconds := 30
	fmt.Sscan(q.Attributes["VisibilityTimeout"], &seconds)
	return time.Duration(seconds) * time.Second
}

// Key is one KMS key.
type Key struct {
	ID      string
	KeyID   string
	ARN     string
	Spec    string   // KeySpec
	Usage   string   // KeyUsage
	Aliases []string // with their prefix alias/
	Policy  []KeyStatement
}

// Bucket is one S3 bucket.
type Bucket struct {
	ID       string
	Name     string
	ARN      string
	LockDays int         // for which each version of an object is locked; 0 without Object Lock
	Denials  []Statement // of its policy, for everybody
}

// KeyStatement is one statement of a key's policy.
type KeyStatement struct {
	Deny       bool
	Principals []string // "*" for everybody; an ARN, with :root for callers that the account's policies allow
	Actions    []string
	Conditions []Condition // that all hold; aws:PrincipalArn is the caller's role
}

// Site is a CloudFront distribution.
type Site struct {
	RootObject string          // the object at /
	Behaviors  []Behavior      // in the order of matching; the default behaviour, with the pattern *, is last
	Errors     []ErrorResponse //
}

// Behavior says how requests whose path matches a pattern are served.
type Behavior struct {
	Pattern  string   // with * and ?
	ToAPI    bool     // to the HTTP API, else to the bucket with the static page
	Methods  []string // allowed
	Headers  []Header // of the response headers policy
	Compress bool     // compressible responses, if they are cached
	Forward  Forward
	Function string   // the logical id of the CloudFront function at viewers' requests, empty for none
	Origin   []Header // added to requests to the origin
}

// Forward says what a behaviour passes on of a viewer's request, beside method, path and body.
type Forward struct {
	AllHeaders bool     // all of the viewer's
	Headers    []string // these, in lower case, CloudFront-Viewer-Address included
	Cookies    bool
	Query      bool
}

// Header is one header of a response headers policy.
type Header struct {
	Name, Value string
	Override    bool // replaces the origin's
}

// ErrorResponse replaces an error of the origin by a page.
type ErrorResponse struct {
	Code     int    // status of the origin's response
	Status   int    // status of the viewer's
	PagePath string //
}
