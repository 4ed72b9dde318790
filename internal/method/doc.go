// Package method holds every payment method as data: the parameters that a merchant may send for it, and the fields
// that the checkout page asks for. It also has the type codes of parameters, the lists of countries and states, and
// the checks of all these values. It knows neither JSON nor sessions.
package method
