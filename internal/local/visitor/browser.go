package visitor

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
)

// files finds the files that the page's HTML has a browser load.
var files = regexp.MustCompile(`(?:src|href)="([^":]+)"`)

// Open opens the checkout page as a browser with an empty cache does: the HTML, every file that it names, and the first
// screen, which has to be of that kind.
func (v *Visitor) Open(ctx context.Context, order *Order, kind string) (Screen, error) {
	page, err := v.load(ctx, "/?session="+url.QueryEscape(order.Session))
	if err != nil {
		return Screen{}, err
	}
	for _, file := range files.FindAllSubmatch(page, -1) {
		if _, err := v.load(ctx, "/"+string(file[1])); err != nil {
			return Screen{}, err
		}
	}
	return v.Screen(ctx, order, kind)
}

// load gets a file of the page.
func (v *Visitor) load(ctx context.Context, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, v.base+path, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	response, err := v.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxResponse))
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: status %d", path, response.StatusCode)
	}
	return text, err
}
