// Package contract has the tests that compare infra/openapi.yaml and infra/admin.yaml with the service: names, codes
// and screens are compared with the code, every example is sent, and Schemathesis sends other requests that the
// document allows or forbids. Generators make clients of the documents, which then use the service.
package contract
