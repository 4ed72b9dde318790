// Package story holds the story tests: the whole service over HTTP, with a fake clock, in-process queues and the
// sandbox as the provider. Begin with story_test.go. The harness_*_test.go files have what stories need: a shop, a
// payer's visit, faults of the store, the queues and providers.
package story
