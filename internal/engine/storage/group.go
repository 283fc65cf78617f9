package storage

import (
	"fmt"
	"sync"
)

// group lets updates that arrive while one is being committed share the next commit. The first of them to arrive runs
// it, on its own goroutine, so that nothing runs when nobody waits.
type group struct {
	run func([]*member) // sets err of each member

	mu      sync.Mutex
	leading bool
	waiting []*member
}

type member struct {
	decide func(Reader, *Batch) error
	err    error
	done   chan struct{} // closed when err is final
	lead   chan struct{} // closed when this member shall run the next commit
}

// maxGroup bounds how much one commit, and so one writer's wait, can grow.
const maxGroup = 256

func (g *group) do(decide func(Reader, *Batch) error) error {
	m := &member{decide: decide, done: make(chan struct{}), lead: make(chan struct{})}
	g.mu.Lock()
	g.waiting = append(g.waiting, m)
	if !g.leading {
		g.leading = true
		close(m.lead)
	}
	g.mu.Unlock()
	select {
	case <-m.done:
	case <-m.lead:
		g.commitNext()
	}
	return m.err
}

// commitNext commits the front of the queue, which starts with the caller, and hands the lead on.
func (g *group) commitNext() {
	g.mu.Lock()
	n := min(len(g.waiting), maxGroup)
	members := g.waiting[:n:n]
	g.waiting = g.waiting[n:]
	g.mu.Unlock()

	g.run(members)
	for _, m := range members {
		close(m.done)
	}

	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiting) == 0 {
		g.waiting = nil
		g.leading = false
		return
	}
	close(g.waiting[0].lead)
}

// decideSafely turns a panic into an error, so that it stays with the update that caused it.
func (m *member) decideSafely(r Reader, b *Batch) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("storage: an update panicked: %v", p)
		}
	}()
	return m.decide(r, b)
}
