package visitor

import (
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
	// english, sealing and opening find what the page's script loads of English texts, by their hash, to encrypt a card,
	// and to open a wallet.
	english = regexp.MustCompile(`[{,]en:"([A-Za-z0-9+/]{8})[A-Za-z0-9+/]*="`)
	sealing = regexp.MustCompile(`"/(seal-[A-Z0-9]+\.js) `)
	opening = regexp.MustCompile(`"/(wallet-[A-Z0-9]+\.js) `)
	notWord = regexp.MustCompile(`\W`)
)

// Open opens the checkout page as a browser with an empty cache does: the HTML, every file that it names, the English
// texts, the script that encrypts a card, the first screen, which has to be of that kind, and the script that opens
// wallets if the screen offers one.
func (v *Visitor) Open(ctx context.Context, order *Order, kind string) (Screen, error) {
	page, err := v.load(ctx, "/?session="+url.QueryEscape(order.Session))
	if err != nil {
		return Screen{}, err
	}
	var loaded []byte
	for _, file := range files.FindAllSubmatch(page, -1) {
		text, err := v.load(ctx, "/"+string(file[1]))
		if err != nil {
			return Screen{}, err
		}
		loaded = append(loaded, text...)
	}
	texts, seal := english.FindSubmatch(loaded), sealing.FindSubmatch(loaded)
	if texts == nil || seal == nil {
		return Screen{}, errors.New("the page's script names no English texts, or no script that encrypts cards")
	}
	for _, name := range []string{"en-" + notWord.ReplaceAllString(string(texts[1]), "0") + ".json", string(seal[1])} {
		if _, err := v.load(ctx, "/"+name); err != nil {
			return Screen{}, err
		}
	}
	screen, err := v.Screen(ctx, order, kind)
	if err != nil || !screen.offersWallet() {
		return screen, err
	}
	script := opening.FindSubmatch(loaded)
	if script == nil {
		return Screen{}, errors.New("the page's script names no script that opens wallets")
	}
	_, err = v.load(ctx, "/"+string(script[1]))
	return screen, err
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
