//go:build !race

package story

// RaceDetector says whether the tests run with the race detector.
const RaceDetector = false
