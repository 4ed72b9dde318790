package store

import "sync"

// Places counts what a process is doing for each of many, such as requests by owner. The zero value counts none.
type Places struct {
	mu    sync.Mutex
	taken map[string]int
}

// Take takes a place of whom until free is called, unless whom has the most places already.
func (p *Places) Take(whom string, most int) (free func(), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken[whom] >= most {
		return nil, false
	}
	if p.taken == nil {
		p.taken = map[string]int{}
	}
	p.taken[whom]++
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.taken[whom]--; p.taken[whom] == 0 {
			delete(p.taken, whom)
		}
	}, true
}

// Taken returns how many places whom has.
func (p *Places) Taken(whom string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken[whom]
}
