// Package story holds the story tests: the whole service over HTTP, with a fake clock, in-process queues and the
// sandbox as the provider. Begin with story_test.go. The other files have what stories and fault runs share: a world
// with a shop, a payer's visit, faults of the store, the queues and providers. What fault runs use of it is exported.
package story
