// Package e2e has the end-to-end tests. They run the real Lambda binaries in the local cloud that template.yaml
// describes and use HTTP only, as merchants, payers and providers do. They kill functions in the middle of their work
// and drop responses of AWS, and then check the table and the sandbox's ledger for what must never happen.
package e2e
