// Package story holds the story tests: the whole service over HTTP, with a fake clock, in-process queues and the sandbox as
// the provider. Begin with story_test.go. What a story needs (a shop, a payer's visit, faults of store, queues and providers)
// stands in the harness_*_test.go files.
package story
