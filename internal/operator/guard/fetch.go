package guard

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// asked are the headers of a browser: who changes the page for payers is not to know that this is no payer. Their
// language is one that the page does not have, which gets index.html.
var asked = map[string]string{
	"User-Agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
		"Chrome/141.0.0.0 Safari/537.36",
	"Accept":          "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
	"Accept-Language": "it-IT,it;q=0.9",
}

// response is what was fetched.
type response struct {
	status int
	header http.Header
	body   []byte
	longer bool // the body goes on after what was read
}

// fetch requests an address and reads up to so many bytes of the body. It follows no redirect. A status of 429 or of a
// broken server is an error, as it says nothing about the page.
func (g Guard) fetch(ctx context.Context, address string, most int64) (response, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return response{}, err
	}
	for name, value := range asked {
		request.Header.Set(name, value)
	}
	got, err := g.HTTP.RoundTrip(request)
	if err != nil {
		return response{}, fmt.Errorf("%s can't be fetched: %w", address, err)
	}
	defer got.Body.Close()
	if got.StatusCode >= 500 || got.StatusCode == http.StatusTooManyRequests {
		return response{}, fmt.Errorf("%s can't be fetched: %d", address, got.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(got.Body, most+1))
	if err != nil {
		return response{}, fmt.Errorf("%s can't be fetched: %w", address, err)
	}
	r := response{status: got.StatusCode, header: got.Header, body: body}
	if r.longer = int64(len(body)) > most; r.longer {
		r.body = body[:most]
	}
	return r, nil
}

// redirected is the host that a response leads to, "" for none.
func (r response) redirected() string {
	to, err := url.Parse(r.header.Get("Location"))
	if err != nil {
		return "somewhere"
	}
	return to.Host
}
