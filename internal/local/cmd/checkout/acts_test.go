package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

const refund = "payments refund --reason 'one pen is missing' " + testPayment

// Money moves once a person agrees to what is shown, or --yes is said where nobody can be asked.
func TestMoneyAsksBack(t *testing.T) {
	f := newAPI(t)
	f.has["GET /payments/live"] = strings.ReplaceAll(paymentView("live", "5.00"), testPayment, "live")
	f.has["POST /payments/live/refund"] = `{"payment_id":"live","status":"settled","text":"Sent.","decided":false}`
	const asked = "pen-1 of pens (test, payment " + testPayment + "): Refund 5.00 EUR"
	for name, test := range map[string]struct {
		by    typing
		line  string
		code  int
		sent  bool
		print string // where people read
		notes string
	}{
		"agreed": {typing{true, "y\n"}, refund, exitDone, true, "5.00 EUR are refunded.\nthe payment is settled\n",
			asked},
		"agreed at all": {typing{true, "Yes\n"}, refund, exitDone, true, "5.00 EUR are refunded.\n", asked},
		"declined":      {typing{true, "n\n"}, refund, exitFailed, false, "", "nothing was done"},
		"no word":       {typing{true, "\n"}, refund, exitFailed, false, "", "nothing was done"},
		"no end":        {typing{true, "y"}, refund, exitFailed, false, "", "nothing was done"},
		"said before":   {typing{true, ""}, refund + " --yes", exitDone, true, "5.00 EUR are refunded.\n", ""},
		"nobody there":  {typing{}, refund, exitMisused, false, "", asked + ": say --yes"},
		"a program": {typing{}, refund + " --yes", exitDone, true,
			`{"payment_id":"` + testPayment + `","reference":"r-1",`, ""},
		"a part": {typing{true, "y\n"}, refund + " --amount 1.50", exitDone, true, "5.00", "Refund 1.50 EUR? [y/N]"},
		"live": {typing{true, "y\n"}, "payments refund --reason x live", exitMisused, false, "",
			"is live: say --live"},
		"live, yes": {typing{}, "payments refund --yes --reason x live", exitMisused, false, "", "is live: say --live"},
		"live, said": {typing{true, "y\n"}, "payments refund --live --reason x live", exitDone, true,
			"Sent.\nnot decided yet: see checkout payments show live\n", "(live, payment"},
		"unknown": {typing{true, "y\n"}, "payments refund --reason x none", exitNotFound, false, "", "Payment not found"},
		"not possible": {typing{true, "y\n"}, "payments void --reason x " + testPayment, exitFailed, false, "",
			"not possible now"},
		"looked up": {typing{}, "payments look-up --reason x " + testPayment, exitNotFound, true, "", ""},
		"settled": {typing{}, "payments settle --reason x " + testPayment + " approved", exitMisused, false, "",
			"Settle as approved: say --yes"},
		"an amount that is not set": {typing{}, refund + " --yes --amount ''", exitMisused, false, "",
			"--amount has no value"},
		"a key that is not set": {typing{}, refund + " --yes --idempotency-key ' '", exitMisused, false, "", "no value"},
		"a reference that is not set": {typing{}, "payments settle --yes --reason x " + testPayment + " approved ''",
			exitMisused, false, "", "an argument is empty"},
		"no verdict": {typing{}, "payments settle --yes --reason x " + testPayment + " refund", exitMisused, false, "",
			`"refund" is none of approved, declined, give-back, returned, accept, close`},
		"sent again": {typing{}, "callbacks send --reason x " + testPayment + " 1", exitNotFound, true, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f.seen = nil
			result := f.do(test.by, "%s", test.line)
			if result.code != test.code || (len(f.posts()) == 1) != test.sent || len(f.posts()) > 1 ||
				!strings.HasPrefix(result.out, test.print) || !strings.Contains(result.notes, test.notes) {
				t.Errorf("%+v %+v", result, f.posts())
			}
		})
	}
}

// A note is its own reason.
func TestNote(t *testing.T) {
	f := newAPI(t)
	f.has["POST /payments/"+testPayment+"/note"] = `{"at":"2030-01-02T03:04:05Z","kind":"note","text":"Calls again."}`
	result := f.do(typing{}, `payments note %s "Calls again."`, testPayment)
	posts := f.posts()
	if result.code != exitDone || len(posts) != 1 || posts[0].body != `{"text":"Calls again."}` || posts[0].key == "" {
		t.Errorf("%+v %+v", result, posts)
	}
}

// A changing call has a key, a reason, and what was typed, and nothing else.
func TestChanges(t *testing.T) {
	f := newAPI(t)
	for line, want := range map[string]string{
		"payments refund P --amount 1.00":       `/payments/P/refund {"amount":"1.00","reason":"why"}`,
		"payments capture P":                    `/payments/P/capture {"reason":"why"}`,
		"payments void P":                       `/payments/P/void {"reason":"why"}`,
		"payments look-up P":                    `/payments/P/look-up {"reason":"why"}`,
		"payments look-up P r-1":                `/payments/P/look-up {"reason":"why","reference":"r-1"}`,
		"payments settle P declined":            `/payments/P/settle {"reason":"why","verdict":"declined"}`,
		"payments settle P accept r-1":          `/payments/P/settle {"reason":"why","reference":"r-1","verdict":"accept"}`,
		"payments settle P approved --amount 9": `/payments/P/settle {"amount":"9","reason":"why","verdict":"approved"}`,
		"payments end-session P":                `/payments/P/end-session {"reason":"why"}`,
		"callbacks send P 1":                    `/payments/P/callbacks/1/send {"reason":"why"}`,
		"addresses open pens https://x.y/": `/addresses/open {"merchant":"pens","mode":"test","reason":"why",` +
			`"url":"https://x.y/"}`,
		"addresses close --live pens https://x": `/addresses/open {"merchant":"pens","mode":"live","reason":"why",` +
			`"url":"https://x"}`,
		"circuits close --live pens d bank": `/circuits/close {"mapping":"d","merchant":"pens","mid":"bank","mode":"live",` +
			`"reason":"why"}`,
		"blocks add pens email joe@pens.example --until 2027-02-28": `/blocks/add {"kind":"email","merchant":"pens",` +
			`"mode":"test","reason":"why","until":"2027-02-28","value":"joe@pens.example"}`,
		"blocks add --live all card --payment P --until 2027-02-28": `/blocks/add {"kind":"card","merchant":"*",` +
			`"mode":"live","payment_id":"P","reason":"why","until":"2027-02-28"}`,
		"blocks remove --live all b-1": `/blocks/remove {"id":"b-1","merchant":"*","mode":"live","reason":"why"}`,
		"operators grant ann support": `/operators/grant {"merchants":["*"],"mode":"test","reason":"why","role":"support",` +
			`"who":"ann"}`,
		"operators grant ann admin --merchants a,all-in --live --test": `/operators/grant {"merchants":["a","all-in"],` +
			`"mode":"both","reason":"why","role":"admin","who":"ann"}`,
		"operators grant --live ann admin": `/operators/grant {"merchants":["*"],"mode":"live","reason":"why",` +
			`"role":"admin","who":"ann"}`,
		"operators revoke ann admin --merchants a --test": `/operators/revoke {"merchants":["a"],"mode":"test",` +
			`"reason":"why","role":"admin","who":"ann"}`,
		"operators limit support EUR 1 2.50": `/operators/limit {"currency":"EUR","day":"2.50","one":"1","reason":"why",` +
			`"role":"support"}`,
		"operators limit support EUR --none": `/operators/limit {"currency":"EUR","reason":"why","role":"support"}`,
		"approvals approve a-1":              `/approvals/a-1/approve {"reason":"why"}`,
		"approvals reject a-1":               `/approvals/a-1/reject {"reason":"why"}`,
		"forget --email a@b.example":         `/forget {"email":"a@b.example","expected":0,"reason":"why"}`,
		"sessions end s-1":                   `/sessions/end {"id":"s-1","reason":"why"}`,
		"operators revoke ann admin":         `/operators/revoke {"reason":"why","role":"admin","who":"ann"}`,
	} {
		line, want = strings.Replace(line, "P", testPayment, 1), strings.Replace(want, "P", testPayment, 1)
		path, _, _ := strings.Cut(want, " ")
		view := strings.Replace(paymentView("test", "5.00"), `"possible":[`,
			`"possible":[{"act":"void","allowed":true},{"act":"capture","allowed":true},`+
				`{"act":"end-session","allowed":true},`, 1)
		f.seen, f.has["GET /payments/"+testPayment] = nil, view
		f.has["GET /forget"] = `{"chains":[],"open":[],"ended":0}`
		f.has["POST "+path] = `{"closed":true,"grants":[],"sent":1,"decided":true}`
		result := f.do(typing{}, "%s --reason why --yes", line)
		posts := f.posts()
		if result.code != exitDone || len(posts) != 1 ||
			strings.TrimPrefix(posts[0].line, "POST ")+" "+posts[0].body != want ||
			!regexp.MustCompile(`^[A-Z2-7]{26}$`).MatchString(posts[0].key) {
			t.Errorf("%s: %+v %+v, want %s", line, result, posts, want)
		}
	}
}

// Whatever leaves open what became of a change prints its key, and a repeat with it is the same call, also if nothing
// can be refunded any more. What says that nothing was changed prints none.
func TestRepeats(t *testing.T) {
	f := newAPI(t)
	path := "/payments/" + testPayment + "/refund"
	for status, repeats := range map[int]bool{
		lost: true, 500: true, 502: true, 409: true, 429: true, 400: false, 403: false,
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			f.has["GET /payments/"+testPayment], f.fails["POST "+path], f.seen = paymentView("test", "5.00"), status, nil
			first := f.do(typing{}, "%s --amount 1.00 --yes", refund)
			found := regexp.MustCompile(`\nrepeat with --idempotency-key (\S+)\n$`).FindStringSubmatch(first.notes)
			if first.code == exitDone || (found != nil) != repeats {
				t.Fatalf("%+v", first)
			}
			if !repeats {
				return
			}
			f.fails["POST "+path], f.has["GET /payments/"+testPayment] = 0, paymentView("test", "")
			second := f.do(typing{}, "%s --amount 1.00 --yes --idempotency-key %s", refund, found[1])
			if posts := f.posts(); second.code != exitDone || len(posts) != 2 || posts[0] != posts[1] ||
				posts[0].key != found[1] {
				t.Errorf("%+v %+v", second, posts)
			}
			if third := f.do(typing{}, "%s --yes", refund); third.code != exitFailed || len(f.posts()) != 2 ||
				!strings.Contains(third.notes, "not possible now: Nothing is left.") {
				t.Errorf("%+v", third)
			}
		})
	}
}

// Callbacks are counted, a person agrees to their number, and they are sent part by part. A repeat sends the same
// parts.
func TestSendMany(t *testing.T) {
	f := newAPI(t)
	f.has["GET /callbacks"] = `{"callbacks":[],"waiting":2,"parked":9998}`
	sentTo := 0
	f.handled = func(call sentCall) {
		var body struct{ Cursor string }
		if !strings.HasPrefix(call.line, "POST") {
			return
		}
		if err := json.Unmarshal([]byte(call.body), &body); err != nil {
			t.Error(err)
		}
		next := map[string]string{"": "b", "b": "c", "c": ""}[body.Cursor]
		f.fails[call.line] = 0
		if sentTo++; sentTo == 2 {
			f.fails[call.line] = lost
		}
		f.has[call.line] = fmt.Sprintf(`{"sent":%d,"left":%d,"cursor":%q}`, 3000, 10000-3000*sentTo, next)
	}
	const line = "callbacks send --live --url https://x.y/ --from 2030-01-02 --reason back"
	if no := f.do(typing{terminal: true, reply: "n\n"}, "%s", line); no.code != exitFailed || len(f.posts()) != 0 ||
		!strings.Contains(no.notes, "Send 10000 callbacks again (2 wait, 9998 are parked)? [y/N] ") {
		t.Errorf("%+v", no)
	}
	if nobody := f.do(typing{}, "%s", line); nobody.code != exitMisused || len(f.posts()) != 0 {
		t.Errorf("%+v", nobody)
	}
	first := f.do(typing{}, "%s --yes", line)
	found := regexp.MustCompile(`after 3000 callbacks: (?s:.*)\n` +
		`repeat with (--idempotency-key (\S+) --expected 10000)\n$`).FindStringSubmatch(first.notes)
	if first.code != exitFailed || found == nil || !strings.HasPrefix(first.notes, "3000 of 10000\n") {
		t.Fatalf("%+v", first)
	}
	f.has["GET /callbacks"] = `{"callbacks":[],"waiting":2,"parked":6998}`
	begun := f.posts()
	f.seen = nil
	second := f.do(typing{terminal: true, reply: "y\n"}, "%s %s", line, found[1])
	posts := f.posts()
	if second.code != exitDone || !strings.HasPrefix(second.out, "9000 callbacks are sent within a minute, ") ||
		len(posts) != 3 || posts[0] != begun[0] || posts[1] != begun[1] || posts[2].key != found[2]+"-3" ||
		len(f.seen) != 3 {
		t.Errorf("%+v %+v, begun %+v", second, posts, begun)
	}
	const body = `{"cursor":"c","expected":10000,"from":"2030-01-02","mode":"live","reason":"back",` +
		`"url":"https://x.y/"}`
	if posts[2].body != body {
		t.Errorf("%s, want %s", posts[2].body, body)
	}
	f.has["GET /callbacks"] = `{"callbacks":[],"waiting":0,"parked":0}`
	if none := f.do(typing{}, "%s --yes", line); none.code != exitNotFound {
		t.Errorf("%+v", none)
	}
}

// A circuit breaker that is not open is a failure, and so is a response that never comes.
func TestFailedResults(t *testing.T) {
	f := newAPI(t)
	f.has["POST /circuits/close"] = `{"closed":false}`
	if result := f.do(typing{}, "circuits close --yes --reason x pens d bank"); result.code != exitFailed ||
		!strings.Contains(result.notes, "it has no open circuit breaker") {
		t.Errorf("%+v", result)
	}
	f.fails["GET /me"] = lost
	if result := f.do(typing{}, "me"); result.code != exitFailed || strings.Contains(result.notes, "repeat") {
		t.Errorf("%+v", result)
	}
}
