package cloud

import (
	"maps"

	"checkout/internal/local/cloud/endpoint"
	"checkout/internal/local/cloud/gateway"
	"checkout/internal/local/cloud/template"
)

// AdminSecret is the secret of AdminKey at the admin API, which also may do everything there.
const AdminSecret = "local"

// UserARN is the ARN of a user of the local account, AdminKey's is that of the user of this name.
func UserARN(name string) string { return endpoint.UserARN(account, name) }

// Person is whoever signs requests to the admin API with an access key. Without policies, everything is allowed.
type Person = gateway.Caller

// AdminURL is the address of the admin API, without a slash at its end; "" if the stack has none.
func (c *Cloud) AdminURL() string {
	if c.address[adminSide] == "" {
		return ""
	}
	return c.localhost(adminSide)
}

// serveAdmin serves the HTTP API for operators, if the template has one.
func (c *Cloud) serveAdmin() error {
	api, ok := c.template.APIs[template.AdminAPI]
	if !ok {
		return nil
	}
	listener, err := c.listen(adminSide, "127.0.0.1", 0)
	if err != nil {
		return err
	}
	callers := map[string]gateway.Caller{AdminKey: {ARN: UserARN(AdminKey), Secret: AdminSecret}}
	maps.Copy(callers, c.config.People)
	c.serve(listener, gateway.New(gateway.Config{
		Routes: api.Routes, IAM: &gateway.IAM{Region: Region, ARN: api.ARN, Callers: callers},
		Invoke: c.Invoke, Now: c.config.Now,
	}))
	return nil
}
