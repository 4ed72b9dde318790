package store

import (
	"errors"
	"sync"
)

// atOnce is how many requests one call makes at the same time.
const atOnce = 8

// Concurrently does something for each number below n, several at once, such as a request to a store.
func Concurrently(n int, do func(i int) error) error {
	errs, free := make([]error, n), make(chan struct{}, atOnce)
	var running sync.WaitGroup
	for i := range n {
		free <- struct{}{}
		running.Go(func() {
			defer func() { <-free }()
			errs[i] = do(i)
		})
	}
	running.Wait()
	return errors.Join(errs...)
}
