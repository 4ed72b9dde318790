package adapter

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
)

// account is what a MID's credentials say of an adapter.
type account struct{ url, key, secret string }

func accountOf(credentials map[string]string) (account, error) {
	if err := provider.RequireCredentials(credentials, "url", "key", "secret"); err != nil {
		return account{}, err
	}
	if u, err := url.Parse(credentials["url"]); err != nil || u.Host == "" {
		return account{}, fmt.Errorf("%w: the credential \"url\" of the MID is no https address", connector.ErrNotSent)
	}
	return account{strings.TrimSuffix(credentials["url"], "/"), credentials["key"], credentials["secret"]}, nil
}

// response is an authentic response: a result, or a refusal before anything was done.
type response struct {
	status  int
	body    []byte
	result  result
	refusal *refusal
}

// errNotSigned is returned for a response that is not signed for its request: it may be from anybody.
var errNotSigned = errors.New("the response is not signed by the adapter for this request")

// send sends a signed request and reads the signed response.
func (a *Adapter) send(ctx context.Context, path string, r connector.ProviderRequest, body any) (response, error) {
	to, err := accountOf(r.Credentials)
	if err != nil {
		return response{}, err
	}
	text, err := json.Marshal(body)
	if err != nil {
		return response{}, fmt.Errorf("%w: the request can't be written", connector.ErrNotSent)
	}
	id := a.messageID(path, r.Reference)
	at := seconds(a.Now())
	header := map[string]string{
		"Content-Type": "application/json", "Accept": "application/json", "Adapter-Key": to.key,
		headerID: id, headerTime: at, headerSignature: sign(to.secret, id, at, "POST "+path+"."+string(text)),
	}
	if path != "/lookup" && path != "/describe" {
		header["Idempotency-Key"] = r.Reference
	}
	got, err := a.Client.Send(ctx, provider.Request{Method: "POST", URL: to.url + path, Header: header, Body: text})
	if err != nil {
		return response{}, err
	}
	return a.read(to, id, got)
}

// read reads a response to the request with that id.
func (a *Adapter) read(from account, id string, got provider.Response) (response, error) {
	switch {
	case got.Status == http.StatusUnauthorized || got.Status == http.StatusTooManyRequests:
		// Nothing was done, by the contract. These need no signature: an adapter that does not know the secret has none.
		return response{}, fmt.Errorf("%w: the adapter refuses with status %d", connector.ErrNotSent, got.Status)
	case got.Status >= http.StatusInternalServerError:
		return response{}, fmt.Errorf("the adapter has a problem: status %d", got.Status)
	}
	m := messageOf(got.Header, strconv.Itoa(got.Status)+"."+string(got.Body))
	if m.id != id || !m.authentic(from.secret, a.Now()) {
		return response{}, fmt.Errorf("%w: status %d", errNotSigned, got.Status)
	}
	out := response{status: got.Status, body: got.Body}
	if got.Status == http.StatusOK {
		return out, decode(got.Body, &out.result)
	}
	var e struct {
		Error *refusal `json:"error"`
	}
	if err := decode(got.Body, &e); err != nil {
		return response{}, err
	}
	if out.refusal = e.Error; !e.Error.isGiven() || got.Status < http.StatusBadRequest {
		return response{}, fmt.Errorf("the response has status %d and is no result", got.Status)
	}
	return out, nil
}

// decode reads JSON. Its error names the member that is wrong, and contains nothing of what was read.
func decode(text []byte, into any) error {
	err := json.Unmarshal(text, into)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		return fmt.Errorf("%s %s", cmp.Or(wrong.Field, "the body"), jsonType(wrong))
	case err != nil:
		return fmt.Errorf("the body is no JSON: %d bytes", len(text))
	}
	return nil
}

// messageID is the id of a request: another one each time that it is sent, so that an earlier response is none to it.
func (a *Adapter) messageID(path, reference string) string {
	sum := sha256.Sum256([]byte(path + "\n" + reference + "\n" + strconv.FormatInt(a.Now().UnixNano(), 10)))
	return "req_" + hex.EncodeToString(sum[:16])
}
