package local

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"
)

// listen opens a port on loopback, for IPv4 and, where there is IPv6, for that too, since browsers try both for
// localhost. Port 0 is any port that is free for both. variable is the name of the environment variable for it.
func listen(ctx context.Context, port int, variable string) ([]net.Listener, int, error) {
	const tries = 20
	for try := 1; ; try++ {
		listeners, got, err := listenOn(ctx, port, variable)
		if err == nil || port != 0 || try == tries {
			return listeners, got, err
		}
	}
}

func listenOn(ctx context.Context, port int, variable string) ([]net.Listener, int, error) {
	var config net.ListenConfig
	four, err := config.Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, 0, explain(err, port, variable)
	}
	got := four.Addr().(*net.TCPAddr).Port
	six, err := config.Listen(ctx, "tcp6", net.JoinHostPort("::1", strconv.Itoa(got)))
	switch {
	case err == nil:
		return []net.Listener{four, six}, got, nil
	case errors.Is(err, syscall.EADDRINUSE):
		four.Close()
		return nil, 0, explain(err, got, variable)
	default: // no IPv6 here
		return []net.Listener{four}, got, nil
	}
}

func explain(err error, port int, variable string) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("port %d is taken: end what uses it, or set %s to another one", port, variable)
	}
	return fmt.Errorf("can't listen on port %d: %w", port, err)
}

func closeAll(listeners []net.Listener) {
	for _, listener := range listeners {
		listener.Close()
	}
}
