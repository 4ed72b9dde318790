// Package browser has only tests: stories of payers on the checkout page, in a real Chromium without windows. The same
// table of stories runs with the embedded service and with the local cloud. Most stories end with the status in the
// merchant's API. In no story may the browser connect to another machine, violate the page's content security policy or
// send card data that is not encrypted. CHROMIUM names another browser than the one in PATH.
package browser
