package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/local"
)

// neighbour is the server of somebody else on another port of this machine. It tries on the admin API whatever browsers
// send to it.
type neighbour struct {
	admin string // address of the admin page

	mu  sync.Mutex
	got []string // what the admin API said
	err error
}

func (n *neighbour) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx := context.WithoutCancel(r.Context())
	stolen, err := http.NewRequestWithContext(ctx, http.MethodGet, n.admin+"/admin/v1/me", nil)
	if err == nil {
		stolen.Header = r.Header.Clone()
		stolen.Header.Set("Sec-Fetch-Site", "same-origin")
		var response *http.Response
		if response, err = http.DefaultClient.Do(stolen); err == nil {
			defer response.Body.Close()
		}
		n.mu.Lock()
		if err == nil {
			n.got = append(n.got, fmt.Sprint(response.StatusCode))
		}
		n.err = err
		n.mu.Unlock()
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprint(w, "<!doctype html><h1>Neighbour</h1>")
}

// attack is what a page of the neighbour tries: it asks the API in every way, listens for what the page's tabs say to
// each other, and looks at what is stored. It returns what it has got, which should be nothing.
const attack = `(async admin => {
	const heard = [], channel = new BroadcastChannel('access');
	channel.onmessage = ({data}) => heard.push(data);
	channel.postMessage('');
	const json = {'Content-Type': 'application/json'}, refund = '/admin/v1/payments/%s/refund';
	const body = JSON.stringify({reason: 'stolen'});
	const send = (path, init) => fetch(admin + path, {credentials: 'include', ...init});
	const ask = (path, init) => send(path, init).then(r => heard.push(r.status), () => 0);
	await Promise.all([
		ask('/admin/v1/me'), ask('/admin/v1/me', {headers: {Authorization: 'Bearer '}}),
		ask(refund, {method: 'POST', headers: json, body}),
		send(refund, {method: 'POST', mode: 'no-cors', body}).catch(() => 0),
		send('/admin/v1/me', {mode: 'no-cors'}).catch(() => 0),
	]);
	return [...heard, ...Object.values(sessionStorage), ...Object.values(localStorage), document.cookie].join(' ').trim();
})(%s)`

// TestAdminAccessIsOfOneOrigin opens pages of another port, by each name of this machine, in the browser that the admin
// page is open in.
func TestAdminAccessIsOfOneOrigin(t *testing.T) {
	t.Parallel()
	run := startAdmin(t)
	paid := run.pay(t, pensKey, "01/38")
	for _, name := range []string{"127.0.0.1", "localhost"} {
		server, err := run.server.StartAdmin(local.People[0], 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(server.Stop)
		link := strings.Replace(server.Link(), "127.0.0.1", name, 1)
		at, err := url.Parse(link)
		if err != nil {
			t.Fatal(err)
		}
		other := &neighbour{admin: "http://" + at.Host}
		site := httptest.NewServer(other)
		t.Cleanup(site.Close)
		a := &adminVisit{visit: newVisit(t, run.at, run.shop), run: run, base: other.admin + "/"}
		a.open(link)
		a.heading("Overview")
		for _, address := range []string{site.URL, strings.Replace(site.URL, "127.0.0.1", "localhost", 1)} {
			b := a.profile.tab(t, &watch{}) // whose requests are refused, which is an error there
			b.open(address)
			b.until("document.querySelector('h1')?.innerText == 'Neighbour'")
			script := fmt.Sprintf(attack, paid.id, quote(other.admin))
			if got := get[string](b, script); got != "" {
				t.Errorf("%s gets of %s: %q", address, link, got)
			}
		}
		other.mu.Lock()
		if said := strings.Join(other.got, " "); other.err != nil || !strings.HasPrefix(said, "401 401") ||
			strings.Trim(said, "401 ") != "" {
			t.Errorf("with what browsers send to another port the API says: %s (%v)", said, other.err)
		}
		other.mu.Unlock()
		a.view("payments/" + paid.id)
		a.heading("Order " + paid.Order)
		a.until(control("Refund")) // of all
		if n := run.pens.callbacks(paid.Order, "refund"); n > 0 {
			t.Error("a page of another port has refunded a payment")
		}
	}
}

// TestAdminAccessEnds leaves the page alone until its access ends, until one new link lets all tabs in again,
// whatever tab it is opened in.
func TestAdminAccessEnds(t *testing.T) {
	t.Parallel()
	var away atomic.Int64 // minutes
	run := startAdminAt(t, func() time.Time { return time.Now().Add(time.Duration(away.Load()) * time.Minute) })
	links := make(chan string, 9)
	server, err := run.server.StartAdmin(local.People[0], 0, func(_, link string) { links <- link })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	base, _, _ := strings.Cut(server.Link(), "#")
	a := &adminVisit{visit: newVisit(t, run.at, run.shop), run: run, base: base}
	a.open(server.Link())
	a.heading("Overview")
	if at := get[string](a.tab, "location.href"); at != base+"#/" {
		t.Errorf("the link stays in the address: %s", at)
	}
	a.view("callbacks") // in the same tab, after another page
	a.heading("Callbacks not delivered")
	b := &adminVisit{visit: a.secondTab(), run: run, base: base}
	b.open(base + "#/payments")
	b.heading("Payments")

	for _, again := range []func(link string){
		func(link string) { a.secondTab().open(link) },
		func(link string) { get[bool](a.tab, "(location.href = "+quote(link)+", true)") },
	} {
		away.Add(31)
		b.view("payments")
		b.shows("main", "30 minutes")
		a.view("callbacks")
		a.shows("main", "30 minutes")
		again(<-links)
		b.heading("Payments")
		a.until("['Callbacks not delivered', 'Overview'].includes(document.querySelector('main h1')?.innerText)")
	}
	if len(links) > 0 {
		t.Error("more links than ends")
	}
}
