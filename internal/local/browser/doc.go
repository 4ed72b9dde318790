// Package browser has only tests: stories of payers on the checkout page, in a real Chromium without windows. They show
// what only a browser shows, with the embedded service, and some of them with the local cloud. Stories follow one
// another in the tabs of a few profiles. Most end with the status in the merchant's API. In no story may the browser
// connect to another machine, violate the page's content security policy or send card data that is not encrypted.
// CHROMIUM names another browser than the one in PATH.
package browser
