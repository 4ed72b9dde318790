package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// operator is the browser of somebody at the admin page: each of its requests carries the page's token.
type operator struct {
	token string
	to    http.RoundTripper
}

// EnterAdmin opens a link to the admin page, as the page itself does it.
func EnterAdmin(ctx context.Context, link string) (*http.Client, error) {
	at, err := url.Parse(link)
	if err != nil {
		return nil, err
	}
	code, isLink := strings.CutPrefix(at.Fragment, "enter=")
	if !isLink {
		return nil, fmt.Errorf("%s is no link to the admin page", link)
	}
	body := strings.NewReader(`{"code":"` + code + `"}`)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+at.Host+"/enter", body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", "http://"+at.Host)
	o := &operator{to: &http.Transport{DisableKeepAlives: true}}
	by := &http.Client{Transport: o, Timeout: 5 * time.Minute}
	response, err := by.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var given struct {
		Token string `json:"token"`
		Text  string `json:"error_message"`
	}
	if err := json.NewDecoder(response.Body).Decode(&given); err != nil || given.Token == "" {
		return nil, fmt.Errorf("%s: %s (%v)", response.Status, given.Text, err)
	}
	o.token = given.Token
	return by, nil
}

// RoundTrip sends a request with the token.
func (o *operator) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+o.token)
	return o.to.RoundTrip(r)
}
