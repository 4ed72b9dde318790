package endpoint

import (
	"encoding/xml"
	"net/http"
	"net/url"
)

// isCallerIdentity reports whether a request, which is of no JSON protocol, asks STS who calls.
func isCallerIdentity(r *http.Request, body []byte) bool {
	if r.Header.Get("X-Amz-Target") != "" {
		return false
	}
	form, err := url.ParseQuery(string(body))
	return err == nil && form.Get("Action") == "GetCallerIdentity"
}

// callerIdentity tells the caller its own ARN, which needs no permission.
func (e *Endpoint) callerIdentity(q request) response {
	var out struct {
		XMLName xml.Name `xml:"https://sts.amazonaws.com/doc/2011-06-15/ GetCallerIdentityResponse"`
		ARN     string   `xml:"GetCallerIdentityResult>Arn"`
		Account string   `xml:"GetCallerIdentityResult>Account"`
	}
	out.ARN, out.Account = UserARN(e.config.Account, AdminKey), e.config.Account
	if !q.admin {
		out.ARN = q.session(e.config.Account)
	}
	body, err := xml.Marshal(out)
	if err != nil {
		return broken(err.Error())
	}
	return response{status: http.StatusOK, header: http.Header{"Content-Type": {"text/xml"}}, body: body}
}
