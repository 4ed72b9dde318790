// Package bench measures how fast the service is on this machine, by benchmarks of Go, for which `make bench` is:
//
//   - BenchmarkCreateSession and BenchmarkStatus: handlers from event to response, with everything in memory;
//   - BenchmarkWarm: functions that run, beside one that only makes the same DynamoDB call;
//   - BenchmarkCold: starts of each function, beside an empty one and one that makes a DynamoDB call;
//   - BenchmarkListing: how soon operators see what has become of a payment;
//   - BenchmarkPreview: how long a change of settings is tried on 2,000 stored sessions.
//
// The last four run the Lambda binaries in the local cloud. p50/write is the ratio of a function's median to that of
// the function write of baseline/template.yaml, cpu/write that of the processor time. Ratios are valid for AWS, too;
// times are not. TestSizes holds the binaries to their size.
package bench
