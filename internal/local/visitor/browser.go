package visitor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
)

var (
	// files finds the files that the page's HTML has a browser load.
	files = regexp.MustCompile(`(?:src|href)="([^":]+)"`)
	// sealing and rest find what the page loads when a card is filled in: a script and texts. opening finds what it loads
	// when the test wallet is pressed, styling what that loads itself.
	sealing = regexp.MustCompile(`"/(after-[A-Z0-9]+\.js) `)
	rest    = regexp.MustCompile(`"(en-rest)":"([^"]{8})`)
	opening = regexp.MustCompile(`"/(testwallet-[A-Z0-9]+\.js) `)
	styling = regexp.MustCompile(`"/(testwallet-[A-Z0-9]+\.css) `)
)

// Open opens the checkout page as a browser with an empty cache does: the HTML, which has to have the English texts,
// every file that it names, the script that encrypts a card, and the first screen, which has to be of that kind.
func (v *Visitor) Open(ctx context.Context, order *Order, kind string) (Screen, error) {
	page, err := v.load(ctx, "/?session="+url.QueryEscape(order.Session))
	if err != nil {
		return Screen{}, err
	}
	if !bytes.Contains(page, []byte(`id="texts-en"`)) {
		return Screen{}, errors.New("the page has no English texts")
	}
	var loaded []byte
	for _, file := range files.FindAllSubmatch(page, -1) {
		text, err := v.load(ctx, "/"+string(file[1]))
		if err != nil {
			return Screen{}, err
		}
		loaded = append(loaded, text...)
	}
	seal, texts := sealing.FindSubmatch(loaded), rest.FindSubmatch(page)
	if seal == nil || texts == nil {
		return Screen{}, errors.New("the page does not name what it loads when a card is filled in")
	}
	sum := regexp.MustCompile(`\W`).ReplaceAllString(string(texts[2]), "0") // as the page names the file
	for _, name := range []string{string(seal[1]), "en-rest-" + sum + ".json"} {
		if _, err := v.load(ctx, "/"+name); err != nil {
			return Screen{}, err
		}
	}
	shown, err := v.Screen(ctx, order, kind)
	shown.script = loaded
	return shown, err
}

// openWallet loads what a browser loads when the test wallet is pressed on the page that Open has loaded.
func (v *Visitor) openWallet(ctx context.Context, form Screen) error {
	loaded := form.script
	for _, file := range []*regexp.Regexp{opening, styling} {
		name := file.FindSubmatch(loaded)
		if name == nil {
			return errors.New("the page's scripts name nothing that opens the test wallet")
		}
		var err error
		if loaded, err = v.load(ctx, "/"+string(name[1])); err != nil {
			return err
		}
	}
	return nil
}

// load gets a file of the page.
func (v *Visitor) load(ctx context.Context, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, v.service.URL+path, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	r.Header.Set("Accept-Language", "en-US,en;q=0.9")
	response, err := v.service.HTTP.Do(r)
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
