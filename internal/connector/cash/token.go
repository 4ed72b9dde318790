package cash

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"sync"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
)

// account is what a MID's credentials are for.
type account struct{ url, privateKey, gateway, currency string }

func accountOf(r connector.ProviderRequest) (account, error) {
	a := account{
		url: r.Credentials["url"], privateKey: r.Credentials["secret"], gateway: r.Credentials["gateway_id"],
		currency: r.Credentials["currency"],
	}
	return a, provider.RequireCredentials(r.Credentials, "url", "secret", "gateway_id", "currency")
}

// tokenKey names an account's token. It is no private key that a dump of the memory, or a log, would have in clear.
type tokenKey [sha256.Size]byte

func (a account) tokenKey() tokenKey { return sha256.Sum256([]byte(a.url + "\n" + a.privateKey)) }

// maxTokens is how many tokens are cached before all are fetched anew.
const maxTokens = 1000

// tokens are the authorization tokens of accounts, each cached until it is refused. The zero value is empty.
type tokens struct {
	mu  sync.Mutex
	all map[tokenKey]string
}

func (t *tokens) get(key tokenKey) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all[key]
}

func (t *tokens) set(key tokenKey, token string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil || len(t.all) >= maxTokens {
		t.all = map[tokenKey]string{}
	}
	t.all[key] = token
}

// drop deletes a refused token, unless another one was fetched since.
func (t *tokens) drop(key tokenKey, token string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all[key] == token {
		delete(t.all, key)
	}
}

// call sends a request with the account's token. If the provider refuses the token, so that it has done nothing, call
// fetches a new one and sends the request once more.
func (c *Connector) call(ctx context.Context, a account, request provider.JSONRequest) (response, int, error) {
	key, header := a.tokenKey(), request.Header
	for try := 1; ; try++ {
		token, err := c.token(ctx, a)
		if err != nil {
			return response{}, 0, err
		}
		request.Header = map[string]string{"Authorization": token}
		maps.Copy(request.Header, header)
		var got response
		status, err := c.client.SendJSON(ctx, request, &got)
		if err != nil || status != http.StatusUnauthorized {
			return got, status, err
		}
		c.tokens.drop(key, token)
		if try == 2 {
			return got, status, nil
		}
	}
}

// token returns the account's token, and fetches it if there is none. It fails with connector.ErrNotSent, because
// nobody can be charged without one.
func (c *Connector) token(ctx context.Context, a account) (string, error) {
	key := a.tokenKey()
	if token := c.tokens.get(key); token != "" {
		return token, nil
	}
	var got struct {
		Token string `json:"token"`
	}
	status, err := c.client.SendJSON(ctx, provider.JSONRequest{
		Method: http.MethodPost, URL: a.url + "/authorization", Body: map[string]string{"private_key": a.privateKey},
	}, &got)
	if err != nil {
		return "", fmt.Errorf("%w: no token: %v", connector.ErrNotSent, err)
	}
	if status != http.StatusOK || got.Token == "" {
		return "", fmt.Errorf("%w: no token: status %d", connector.ErrNotSent, status)
	}
	c.tokens.set(key, got.Token)
	return got.Token, nil
}
