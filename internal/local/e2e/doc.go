// Package e2e has the end-to-end tests. They run the real Lambda binaries in the local cloud that template.yaml describes and
// speak HTTP alone, as merchants, payers and providers do; they kill functions in the middle of their work and lose answers
// of AWS, and look afterwards, in the table and in the sandbox's books, for what must never happen.
package e2e
