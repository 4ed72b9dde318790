// Package browser holds no code but tests: stories of payers on the checkout page, told by a real Chromium without a
// window. The same table of stories runs against the embedded service and against the local cloud. A story ends with
// what the merchant's API says, and no story may make the browser talk to another machine, break the page's content
// security policy or let card data leave the page unsealed. CHROMIUM names another browser than the one in PATH.
package browser
