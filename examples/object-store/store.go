// Package objectstore keeps a log of records in an object store: a small subject for benchmarks.
//
// Every write puts two objects, the records and a manifest that names them, whatever was written before.
package objectstore

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrNotFound says that a store has no object under a key.
var ErrNotFound = errors.New("no such object")

// A Store keeps objects under keys.
type Store interface {
	Put(ctx context.Context, key string, object []byte) error
	Get(ctx context.Context, key string) ([]byte, error)
}

// Memory is a store in memory.
type Memory struct {
	// Latency is added to every call.
	Latency time.Duration

	mutex   sync.Mutex
	objects map[string][]byte
}

// Put keeps a copy of an object.
func (m *Memory) Put(_ context.Context, key string, object []byte) error {
	wait(m.Latency)
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.objects == nil {
		m.objects = make(map[string][]byte)
	}
	m.objects[key] = append([]byte(nil), object...)
	return nil
}

// Get returns the object that was put last.
func (m *Memory) Get(_ context.Context, key string) ([]byte, error) {
	wait(m.Latency)
	m.mutex.Lock()
	defer m.mutex.Unlock()
	object, ok := m.objects[key]
	if !ok {
		return nil, ErrNotFound
	}
	return object, nil
}

// wait spins, because a timer takes several times as long as a latency of some microseconds.
func wait(latency time.Duration) {
	if latency <= 0 {
		return
	}
	for start := time.Now(); time.Since(start) < latency; {
	}
}

// Counting counts the calls of a store.
type Counting struct {
	Store
	Calls int
}

// Put counts, and puts.
func (c *Counting) Put(ctx context.Context, key string, object []byte) error {
	c.Calls++
	return c.Store.Put(ctx, key, object)
}

// Get counts, and gets.
func (c *Counting) Get(ctx context.Context, key string) ([]byte, error) {
	c.Calls++
	return c.Store.Get(ctx, key)
}
