// Package method is what payers can pay with, as data: every payment method, the parameters that a
// merchant may send for it and the fields that the checkout page asks for, with the words that this
// data is written in (type codes, countries, states) and the checks that follow from them. It knows
// neither JSON nor sessions.
package method
