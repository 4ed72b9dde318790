// Package contract has the tests that hold infra/openapi.yaml and the service together: names, codes and screens are
// compared with the code, every example is sent, and Schemathesis asks for what else the document allows and forbids.
package contract
