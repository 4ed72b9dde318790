package post

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"checkout/internal/callback"
)

func discard() *log.Logger { return log.New(io.Discard, "", 0) }

// refusedAlways are hosts that no run may reach.
var refusedAlways = []string{
	"0.0.0.0", "0.1.2.3", // this network
	"10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.1.1", // private
	"100.64.0.1", "100.127.255.255", // carrier-grade NAT
	"169.254.0.1", "169.254.169.254", "169.254.170.2", // link-local, metadata
	"192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", // special purpose
	"224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", // multicast, reserved, broadcast
	"[::]", "[fe80::1]", "[fe80::1%25lo]", "[fc00::1]", "[fd00:ec2::254]", "[ff02::1]",
	"[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::1]", // NAT64
	"[2001:db8::1]", "[2001::1]", "[2002:7f00:1::]", "[::7f00:1]", // documentation, Teredo, 6to4, IPv4-compatible
	"[::ffff:10.0.0.1]", "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", // IPv4-mapped
	"2130706433", "017700000001", "0x7f000001", "0X7F.1", "0177.0.0.1", "127.1", "127.0.0.01", "127.0.0.1.", "127.0.0.0x1",
	"shop.example.1", ".", "shop.example..",
}

// refusedInPublic are hosts that only a run with AllowLoopback may reach.
var refusedInPublic = []string{
	"127.0.0.1", "127.255.255.254", "localhost", "LOCALHOST", "[::1]", "[::ffff:127.0.0.1]", "１２７.０.０.１",
}

func TestRefusedHosts(t *testing.T) {
	public, lenient := closed(t, New(Options{})), local(t)
	for _, host := range append(refusedAlways, refusedInPublic...) {
		refusedAddress(t, public, "https://"+host+"/hook")
		refusedAddress(t, public, "https://"+host+":8443/hook")
	}
	for _, host := range refusedAlways {
		refusedAddress(t, lenient, "https://"+host+"/hook")
		refusedAddress(t, lenient, "http://"+host+":8080/hook")
	}
}

func TestRefusedURLs(t *testing.T) {
	public := closed(t, New(Options{}))
	for _, address := range []string{
		"", "shop.example", "//shop.example/", "https://", "https:///hook", "https:shop.example", "https://:443/",
		"http://shop.example/", "ftp://shop.example/", "file:///etc/passwd", "gopher://shop.example/", "javascript:alert(1)",
		"unix:///run/x",
		"https://shop.example:80/", "https://shop.example:22/", "https://shop.example:0/", "https://shop.example:1023/",
		"https://shop.example:65536/",
		"https://shop.example:99999999999999999999/", "https://shop example/", "https://[::1/", "https://shop.example/%zz",
		"https://shop.example/\n",
	} {
		refusedAddress(t, public, address)
	}
}

func refusedAddress(t *testing.T, sender *HTTPSender, address string) {
	t.Helper()
	status, err := sender.Send(t.Context(), callback.Outgoing{URL: address})
	if !errors.Is(err, callback.ErrAddress) || status != 0 {
		t.Errorf("%q: returned %d, %v", address, status, err)
	}
}

func TestAcceptedURLs(t *testing.T) {
	public := New(Options{})
	for _, address := range []string{
		"https://shop.example", "HTTPS://shop.example/hook?x=1#y", "https://shop.example:443/", "https://shop.example:1024/",
		"https://shop.example:65535/",
		"https://user:word@shop.example/", "https://8.8.8.8/", "https://[2606:4700::1111]/", "https://1shop.example/",
		"https://shop.example./", "https://bücher.example/",
	} {
		if _, err := public.target(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestPublicAddressesMayBeDialled(t *testing.T) {
	for _, sender := range []*HTTPSender{New(Options{}), New(Options{AllowLoopback: true})} {
		for network, address := range map[string]string{"tcp4": "8.8.8.8:443", "tcp6": "[2606:4700::1111]:8443"} {
			if err := sender.dialer.Control(network, address, nil); err != nil {
				t.Errorf("%s: %v", address, err)
			}
		}
	}
}

func TestLoopbackInALocalRun(t *testing.T) {
	address := serve(t, func(http.ResponseWriter, *http.Request) {})
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]"} {
		status, err := local(t).Send(t.Context(), callback.Outgoing{URL: strings.Replace(address, "127.0.0.1", host, 1)})
		if err != nil || status != http.StatusOK {
			t.Errorf("%s: returned %d, %v", host, status, err)
		}
	}
}

// A name resolves to an allowed address at first, and later to one that is not.
func TestNameThatResolvesToAnotherAddress(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Connection", "close") })
	var resolved atomic.Value
	resolved.Store(netip.MustParseAddr("127.0.0.1"))
	sender := local(t)
	sender.dialer.Resolver = nameServer(t, &resolved)
	address = strings.Replace(address, "127.0.0.1", "shop.example", 1)
	if status, err := sender.Send(t.Context(), callback.Outgoing{URL: address}); err != nil || status != http.StatusOK {
		t.Fatalf("at first: returned %d, %v", status, err)
	}
	for _, next := range []string{"10.0.0.1", "169.254.169.254", "0.0.0.0"} {
		resolved.Store(netip.MustParseAddr(next))
		refusedAddress(t, sender, address)
	}
	public := closed(t, New(Options{}))
	public.dialer.Resolver = sender.dialer.Resolver
	resolved.Store(netip.MustParseAddr("127.0.0.1"))
	refusedAddress(t, public, "https://shop.example/")
}

// nameServer returns a resolver that resolves every name to the IPv4 address in resolved.
func nameServer(t *testing.T, resolved *atomic.Value) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	go func() {
		for buffer := make([]byte, 512); ; {
			n, from, err := server.ReadFrom(buffer)
			if err != nil {
				return
			}
			_, _ = server.WriteTo(reply(buffer[:n], resolved.Load().(netip.Addr)), from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var dialer net.Dialer
		return dialer.DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// reply is the response to a DNS query (RFC 1035, 4.1): an A record for type A, nothing for other types.
func reply(query []byte, address netip.Addr) []byte {
	end := 12
	for query[end] != 0 {
		end += int(query[end]) + 1
	}
	end += 5 // the root label, type and class
	isA := query[end-3] == 1
	message := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, query[12:end]...)
	if isA {
		message[7] = 1
		ip := address.As4()
		message = append(message, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
		message = append(message, ip[:]...)
	}
	return message
}
