// Check checks a running adapter, in any language, against the contract of infra/adapter.yaml, in its test mode:
//
//	go run ./internal/connector/adapter/check -key KEY -secret SECRET http://localhost:8080
//
// Notices are taken on a free port of loopback. An adapter in a container or on another machine needs an address where
// it reaches the check: see -listen and -public.
//
// It prints a table of what passed and what failed, and ends with 1 if anything failed. It knows nothing of the
// service, so that an adapter that passes follows the document and not the service's code. Whether a required action
// can be shown is alone decided by the service's own function, so that the check accepts none that the service refuses.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	o := options{}
	flag.StringVar(&o.key, "key", "key", "the account's key")
	flag.StringVar(&o.secret, "secret", "secret", "the account's secret")
	flag.StringVar(&o.method, "method", "card", "the method to charge by; for card, a test card is sent")
	flag.StringVar(&o.parameters, "parameters", "", "the method's parameters: a JSON object")
	flag.StringVar(&o.currency, "currency", "USD", "a currency with two decimals")
	flag.DurationVar(&o.wait, "wait", 70*time.Second, "how long to wait for a pending charge and its notice")
	flag.StringVar(&o.listen, "listen", "127.0.0.1:0", "where to take notices: host and port, 0 for any free one")
	flag.StringVar(&o.public, "public", "", "the address at which the adapter reaches -listen, such as "+
		"http://192.0.2.10:9000; default: what -listen says")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: check [-key KEY] [-secret SECRET] [other flags] URL")
		flag.PrintDefaults()
		os.Exit(2)
	}
	o.url = strings.TrimSuffix(flag.Arg(0), "/")
	if !run(o, os.Stdout) {
		os.Exit(1)
	}
}

// run makes all checks and prints the table. It reports whether all passed.
func run(o options, out io.Writer) bool {
	c, err := newChecker(o)
	if err != nil {
		fmt.Fprintln(out, err)
		return false
	}
	defer c.notices.close()
	failed := 0
	all := slices.Concat(charges, followUps, wallets, refusals)
	for _, one := range all {
		err := one.run(c)
		switch {
		case errors.Is(err, errNotSupported):
			fmt.Fprintf(out, "  --    %s: the adapter does not do it\n", one.name)
		case err != nil:
			failed++
			fmt.Fprintf(out, "FAILED  %s: %v\n", one.name, err)
		default:
			fmt.Fprintf(out, "passed  %s\n", one.name)
		}
	}
	fmt.Fprintf(out, "%d of %d checks failed\n", failed, len(all))
	return failed == 0
}

// charges are the checks of charges and look-ups.
var charges = []check{
	{"charge approved", approved},
	{"charge declined, soft", declined("9.06", "do_not_honor")},
	{"charge declined, no funds", declined("9.05", "insufficient_funds")},
	{"charge declined, hard", declined("9.08", "card_stolen")},
	{"charge repeated: one charge", repeated},
	{"charge repeated many times at once: one charge", atOnce},
	{"reference with another amount refused", otherAmount},
	{"charges of two references are two", twoCharges},
	{"look-up of a known reference", lookUpKnown},
	{"look-up of an unknown reference", lookUpUnknown},
	{"look-up of another kind", lookUpOtherKind},
	{"how late a request is found", describes},
	{"required action", requiredAction},
	{"no required action of a later payment of a chain", withoutPayer},
	{"card stored, and charged again", storesCard},
	{"cancel of what does not wait changes nothing", cancels},
	{"continue of what does not wait charges nothing", continues},
	{"pending, then approved, with a notice", pending},
}
