package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// refundChoice is a list of refunds as it is typed.
type refundChoice struct {
	*change
	file   string     // "": the filter chooses
	filter url.Values // with the mode
	again  bool       // amounts are refunded also where something was refunded before
}

// refundResult is what became of a line of a list, or that it is not tried.
type refundResult struct {
	Line      int    `json:"line,omitempty"`
	PaymentID string `json:"payment_id"`
	Order     string `json:"order,omitempty"`
	Merchant  string `json:"merchant,omitempty"`
	Result    result `json:"result"`
	Amount    string `json:"amount,omitempty"` // that has moved, or is to move
	Currency  string `json:"currency,omitempty"`
	Text      string `json:"text,omitempty"`
	Approval  string `json:"approval,omitempty"` // id of the approval that it waits for
}

// result is what became of a refund in one word.
type result string

// The results of lines, in the order of the summary.
const (
	refunded  result = "refunded"
	undecided result = "undecided" // without an outcome, or another person has approved it
	waiting   result = "waiting"   // for the approval of another person
	refused   result = "refused"
	unknown   result = "unknown" // a repeat with the same key tells
	notTried  result = "not tried"
	leftOut   result = "left out" // it was no part of what was agreed to
)

var results = []result{refunded, undecided, waiting, refused, unknown, notTried, leftOut}

// refundRun works through a list of refunds.
type refundRun struct {
	c   *call
	api *client
	o   *output
	refundChoice
	repeats bool
	pending map[string]string // payments with a refund that waits for another person, with its amount
	done    []refundResult
}

// keyTime and keyLife bound how long the key of a list counts: the service forgets keys after 24 hours.
const (
	keyTime = "20060102T150405Z"
	keyLife = 23 * time.Hour
)

var listKey = regexp.MustCompile(`^([0-9]{8}T[0-9]{6}Z)-[A-Z2-7]{26}$`)

// beginList makes the key of a list, from which those of its payments are made, or checks that of a repeat. It says
// when it was made, so that nothing is repeated by a key that the service has forgotten.
func (r *refundRun) beginList() error {
	if r.repeats = r.key != ""; !r.repeats {
		r.key = time.Now().UTC().Format(keyTime) + "-" + rand.Text()
		return nil
	}
	if !listKey.MatchString(r.key) {
		return misusef("%q is no key of a list of refunds", printable(r.key))
	}
	if r.isOld() {
		return misusef("the key is older than %d hours, and does not count any more: run the command without it; "+
			"what was refunded is left out", int(keyLife.Hours()))
	}
	return nil
}

func (r *refundRun) isOld() bool {
	at, err := time.Parse(keyTime, listKey.FindStringSubmatch(r.key)[1])
	return err != nil || time.Since(at) > keyLife
}

// refundMany counts what can be refunded of a list, asks, and refunds one payment after the other. Each has a key that
// follows from that of the list, so that a repeat is the same calls.
func (c *call) refundMany(ctx context.Context, o *output, choice refundChoice) error {
	r := &refundRun{c: c, o: o, refundChoice: choice}
	if err := r.beginList(); err != nil {
		return err
	}
	var file refundFile
	var err error
	if r.file != "" {
		if file, err = readRefunds(r.file); err != nil {
			return err
		}
	}
	if r.api, err = c.api(ctx); err != nil {
		return err
	}
	lines := file.lines
	if r.file == "" {
		if lines, err = r.choose(ctx); err != nil {
			return err
		}
	}
	all, err := r.count(ctx, lines)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return errNothing
	}
	tries := r.tellCount(all, file.export)
	if tries == 0 {
		return errors.Join(r.print(all...), errors.New("nothing of it can be refunded now"))
	}
	if err := c.confirm(r.yes, "Refund %d payments (%s)", tries, mode(r.live)); err != nil {
		return err
	}
	fmt.Fprintf(c.notes, "if this stops, repeat the same command with --idempotency-key %s\n", r.key)
	return r.work(ctx, all)
}

// work refunds one payment after the other. It stops where nobody knows what became of one.
func (r *refundRun) work(ctx context.Context, all []counted) (stopped error) {
	for i := range all {
		one := &all[i]
		switch {
		case one.Result == leftOut:
		case stopped != nil:
			one.Result = notTried
		case r.isOld():
			stopped, one.Result = errors.New("the list takes too long for its key"), notTried
		default:
			stopped = r.refund(ctx, one)
		}
		if err := r.print(*one); err != nil && stopped == nil {
			stopped = err
		}
	}
	failed := r.summary()
	if stopped != nil {
		return repeatable{stopped, r.key}
	}
	if failed > 0 {
		return fmt.Errorf("%d of the refunds failed", failed)
	}
	return nil
}

// refund refunds one payment. Its error ends the list.
func (r *refundRun) refund(ctx context.Context, one *counted) error {
	body := map[string]any{"reason": cmp.Or(one.refundLine.reason, r.reason)}
	if one.refundLine.amount != "" {
		body["amount"] = one.refundLine.amount
	}
	var done struct {
		Text, Amount, Approval, Reference string
		Decided                           bool
	}
	call := post{"/payments/" + url.PathEscape(one.PaymentID) + "/refund", r.key + "." + one.PaymentID, body}
	err := r.patiently(ctx, func() error { return r.api.change(ctx, call, &done) })
	var no *refusal
	switch {
	case errors.Is(err, errSignedOut), isRefused(err) && errors.As(err, &no) && len(no.Errors) == 0:
		one.Result = notTried
		return err
	case isRefused(err) && errors.As(err, &no):
		one.Result, one.Text = refused, no.Errors[0].Message
		return nil
	case err != nil:
		one.Result = unknown
		var again repeatable
		if errors.As(err, &again) {
			return again.error
		}
		return err
	}
	one.Text, one.Approval, one.Amount = done.Text, done.Approval, cmp.Or(done.Amount, one.Amount)
	switch {
	case done.Approval != "" && done.Decided, done.Decided && done.Amount == "":
		one.Result = refused // rejected, or declined by the provider
	case done.Approval != "" && done.Reference == "":
		one.Result = waiting
	case done.Decided:
		one.Result = refunded
	default:
		one.Result = undecided
	}
	return nil
}

// mostTries and mostOpenTries are how often a call is made that is one of too many, and one of which nothing is known.
const mostTries, mostOpenTries = 8, 3

// patiently calls the API. It waits and tries again where there were too many calls, and a few times where nothing is
// known of the call, which is the same one then.
func (r *refundRun) patiently(ctx context.Context, try func() error) error {
	for n := 1; ; n++ {
		err := try()
		var no *refusal
		busy := errors.As(err, &no) && no.Status == http.StatusTooManyRequests
		open := !isRefused(err) && !errors.Is(err, errSignedOut)
		if err == nil || ctx.Err() != nil || !busy && (!open || n == mostOpenTries) || n == mostTries {
			return err
		}
		wait := min(time.Second<<(n-1), 30*time.Second)
		if busy && no.Wait > 0 {
			wait = time.Duration(no.Wait) * time.Second
		}
		if r.c.pause(ctx, wait) != nil {
			return err
		}
	}
}

// print prints results as they come.
func (r *refundRun) print(all ...counted) error {
	for _, one := range all {
		r.done = append(r.done, one.refundResult)
		if !r.o.people() {
			if err := r.o.lineOf(one.refundResult); err != nil {
				return err
			}
			continue
		}
		if one.Result == leftOut {
			continue // they are counted
		}
		_, err := fmt.Fprintf(r.c.out, "%-9s  %s %s  %s  %s  %s\n", one.Result, cmp.Or(one.Amount, "-"),
			printable(one.Currency), one.PaymentID, printable(one.Order), printable(one.Text))
		if err != nil {
			return err
		}
	}
	return nil
}

// summary says what became of the list, and returns how many refunds have failed.
func (r *refundRun) summary() (failed int) {
	numbers, sums, whys := map[result]int{}, map[result]map[string]string{}, map[string]int{}
	for _, one := range r.done {
		numbers[one.Result]++
		if sums[one.Result] == nil {
			sums[one.Result] = map[string]string{}
		}
		if one.Amount != "" {
			sums[one.Result][one.Currency] = plus(sums[one.Result][one.Currency], one.Amount)
		}
		if one.Result == refused || one.Result == waiting {
			whys[string(one.Result)+": "+one.Text]++
		}
	}
	for _, of := range results {
		if numbers[of] == 0 {
			continue
		}
		text := fmt.Sprintf("%s: %d", of, numbers[of])
		for _, currency := range slices.Sorted(maps.Keys(sums[of])) {
			text += ", " + sums[of][currency] + " " + printable(currency)
		}
		fmt.Fprintln(r.c.notes, text)
		for _, why := range slices.Sorted(maps.Keys(whys)) {
			if said, is := strings.CutPrefix(why, string(of)+": "); is {
				fmt.Fprintf(r.c.notes, "  %d: %s\n", whys[why], printable(said))
			}
		}
	}
	return numbers[refused] + numbers[unknown] + numbers[notTried]
}
