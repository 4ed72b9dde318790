// Package value checks numbers, addresses and keys that people type, by their form and official check digits only. A
// check looks nothing up and refuses only what nobody could take: a wrong number that passes is refused by the provider
// a moment later, but a payer whose right number is refused is lost.
//
// A check returns the value as providers expect it, without the spaces and punctuation that people put between groups,
// and whether it is good.
package value
