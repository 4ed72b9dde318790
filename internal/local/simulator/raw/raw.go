// Package raw starts servers for tests that respond with bytes of their own, which may be no HTTP.
package raw

import (
	"bufio"
	"net"
	"net/http"
	"testing"
)

// Server starts a server that reads the header of a request from each connection, and then has respond write to it. It
// returns the server's URL.
func Server(t testing.TB, respond func(net.Conn)) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					respond(conn)
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String()
}
