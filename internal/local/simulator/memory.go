package simulator

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// InMemory serves a handler over connections in memory, for tests inside testing/synctest, where a real connection
// would stop the time. It returns the transport that leads to the handler, whatever the host of an address is, and a
// function that ends both. Addresses begin with http.
func InMemory(handler http.Handler) (transport *http.Transport, stop func()) {
	l := &listener{connections: make(chan net.Conn), done: make(chan struct{})}
	server := &http.Server{Handler: handler}
	var work sync.WaitGroup
	work.Go(func() { _ = server.Serve(l) }) // ends with stop
	transport = &http.Transport{DialContext: l.dial}
	return transport, func() {
		_ = server.Close()
		transport.CloseIdleConnections()
		work.Wait()
	}
}

// listener accepts what is dialled in the same process.
type listener struct {
	connections chan net.Conn
	done        chan struct{}
	once        sync.Once
}

func (l *listener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case l.connections <- there:
		return here, nil
	case <-l.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.connections:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (l *listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

// Addr implements net.Listener.
func (l *listener) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "memory"} }
