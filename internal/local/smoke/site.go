package smoke

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"checkout/internal/local/client"
)

// maxFile is how many bytes of a file of the page are read.
const maxFile = 4 << 20

// linked finds the files that a page's HTML has a browser load.
var linked = regexp.MustCompile(`(?:src|href)="/?([^":]+\.(?:js|css))"`)

// ownStyle finds the hash that the page's own policy allows, and the page's style sheet.
var ownStyle = regexp.MustCompile(`(?s)style-src 'self' 'sha256-([^']+)'".*<style>(.*?)</style>`)

// kinds are the content types of files by the end of their names. A browser takes no script or style of another one.
var kinds = map[string][]string{
	".js": {"text/javascript", "application/javascript"}, ".css": {"text/css"}, "/": {"text/html"},
	screenEnd: {"application/json"},
}

// screenEnd stands for the end of the address of a screen.
const screenEnd = "screen"

// document is a file as CloudFront has sent it.
type document struct {
	header http.Header
	text   string
}

// get requests a file, which has to be there with its content type and the headers that every response has.
func (r *run) get(ctx context.Context, address, end string) (document, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return document{}, err
	}
	name := "GET " + request.URL.Path // without the query, which has the session
	if end == screenEnd {
		name = "GET /page/v1/{session}"
	}
	response, err := r.service.HTTP.Do(request)
	if err != nil {
		return document{}, fmt.Errorf("%s: %w", name, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxFile))
	if err != nil {
		return document{}, fmt.Errorf("%s: %w", name, err)
	}
	if response.StatusCode != http.StatusOK {
		return document{}, fmt.Errorf("%s: %d", name, response.StatusCode)
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if !slices.Contains(kinds[end], kind) {
		return document{}, fmt.Errorf("%s: the content type is %q", name, kind)
	}
	for header, want := range always {
		if got := response.Header.Get(header); got != want {
			return document{}, fmt.Errorf("%s: %s is %q and not %q", name, header, got, want)
		}
	}
	return document{response.Header, string(text)}, nil
}

// always are headers of every response.
var always = map[string]string{"Strict-Transport-Security": "max-age=31536000", "X-Content-Type-Options": "nosniff"}

// loadPage opens the checkout page as a browser does: its HTML with the texts of a language, scripts and styles, and
// the first screen if there is a session. It also calls the API by a path with doubled slashes, as some shops do.
func (r *run) loadPage(ctx context.Context) (string, error) {
	page, err := r.get(ctx, r.URL+"/?session="+url.QueryEscape(r.first.Session)+"&language=de", "/")
	if err != nil {
		return "", err
	}
	if err := r.checkPolicy(page.header.Get("Content-Security-Policy")); err != nil {
		return "", err
	}
	if err := checkStyle(page.text); err != nil {
		return "", err
	}
	if !strings.Contains(page.text, `id="texts-de"`) {
		return "", errors.New("GET /: the page does not come with the texts of the language that its address names")
	}
	files := linked.FindAllStringSubmatch(page.text, -1)
	if len(files) == 0 {
		return "", errors.New("GET /: the page names no script")
	}
	for _, file := range files {
		end := file[1][strings.LastIndexByte(file[1], '.'):]
		if _, err := r.get(ctx, r.URL+"/"+file[1], end); err != nil {
			return "", err
		}
	}
	if err := r.expect(ctx, r.URL+"//api/v1/session/", http.StatusBadRequest); err != nil {
		return "", err
	}
	words := fmt.Sprintf("the page and %d files with their headers, a path with doubled slashes", len(files))
	if r.first.Session == "" {
		return words, nil
	}
	if _, err := r.form(ctx, r.first); err != nil {
		return "", err
	}
	_, err = r.get(ctx, r.URL+r.first.Path(""), screenEnd)
	return words + ", the form", err
}

// checkStyle checks that the page's own policy allows its style sheet.
func checkStyle(html string) error {
	style := ownStyle.FindStringSubmatch(html)
	if style == nil {
		return errors.New("GET /: the page has no style sheet, or no policy for it")
	}
	if sum := sha256.Sum256([]byte(style[2])); base64.StdEncoding.EncodeToString(sum[:]) != style[1] {
		return errors.New("GET /: the page's policy refuses its style sheet")
	}
	return nil
}

// checkPolicy checks the content security policy of the page's headers: no script but those of the page, and no frame
// but that of Google Pay.
func (r *run) checkPolicy(policy string) error {
	wallet, err := url.Parse(r.WalletURL)
	if err != nil {
		return err
	}
	has := map[string]string{}
	for _, directive := range strings.Split(policy, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), " ")
		has[name] = value
	}
	for _, want := range [][2]string{
		{"default-src", "'none'"}, {"script-src", "'self'"}, {"connect-src", "'self'"},
		{"style-src", "'self' 'unsafe-inline'"},
		{"form-action", "'none'"}, {"base-uri", "'none'"}, {"frame-src", wallet.Host},
	} {
		if want[1] != "" && has[want[0]] != want[1] {
			return fmt.Errorf("GET /: %s of the Content-Security-Policy is %q and not %q", want[0], has[want[0]], want[1])
		}
	}
	return nil
}

// loadWallet opens the frame of Google Pay, which has to name the page.
func (r *run) loadWallet(ctx context.Context) (string, error) {
	if r.WalletURL == "" {
		return "", fmt.Errorf("%w: no address of the frame of Google Pay", errSkipped)
	}
	frame, err := r.get(ctx, r.WalletURL+"/", "/")
	if err == nil && !strings.Contains(frame.text, `"`+r.URL+`"`) {
		err = fmt.Errorf("GET %s/: the frame of Google Pay does not name %s: make page-deploy", r.WalletURL, r.URL)
	}
	return "the frame of Google Pay, which knows the page", err
}

// callDirectly calls the API past CloudFront, which has to be refused: by a function, or by API Gateway with 404 if its
// own address is closed.
func (r *run) callDirectly(ctx context.Context) (string, error) {
	if r.API == "" {
		return "", fmt.Errorf("%w: no address of API Gateway", errSkipped)
	}
	err := r.expect(ctx, r.API+"/api/v1/session", http.StatusForbidden, http.StatusNotFound)
	return "a call past CloudFront is refused", err
}

// expect sends an empty object, which has to be responded to with one of some statuses.
func (r *run) expect(ctx context.Context, address string, want ...int) error {
	service := client.Service{URL: address, HTTP: r.service.HTTP}
	status, _, err := service.Call(ctx, client.Request{Method: http.MethodPost, Body: client.Object{}})
	if err == nil && !slices.Contains(want, status) {
		err = fmt.Errorf("POST %s: %d and not one of %v", address, status, want)
	}
	return err
}
