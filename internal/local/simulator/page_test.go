package simulator

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// page gets a page and checks its policy: no script, and the one style that it has.
func (b *bench) page(path string) string {
	b.t.Helper()
	response, err := b.client.Get("http://simulator" + path)
	if err != nil {
		b.t.Fatal(err)
	}
	response.Body.Close()
	_, text := b.control("GET", path, "")
	style := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(text)
	policy := response.Header.Get("Content-Security-Policy")
	if style == nil || response.StatusCode != http.StatusOK {
		b.t.Fatalf("%s: %s", response.Status, text)
	}
	sum := sha256.Sum256([]byte(style[1]))
	allowed := "style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, allowed) ||
		regexp.MustCompile(`(?i)<script|\sstyle=|\son[a-z]+=`).MatchString(text) {
		b.t.Errorf("%s: policy %s of %s", path, policy, text)
	}
	return text
}

// buttons are the choices of a page.
func buttons(page string) string {
	var all []string
	for _, found := range regexp.MustCompile(`<button[^>]* name="choice" value="(\w+)">`).FindAllStringSubmatch(page, -1) {
		all = append(all, found[1])
	}
	return strings.Join(all, " ")
}

// TestPayersPages goes through the page of each step: which buttons it has, and what pressing some of them leads to.
func TestPayersPages(t *testing.T) {
	const back = "https://shop.example/back?a=1&b=2"
	for _, test := range []struct {
		step    Step
		amount  string
		says    string
		buttons string
		press   string // a choice, and what is filled in
		state   State
		moved   string
		then    string // buttons
	}{
		{StepPage, "1000", "10.00 USD", "approve decline expire", "choice=approve", Approved, "1000", "dispute fail"},
		{Step3DS, "1000", "3-D Secure", "approve decline expire", "choice=decline", Declined, "0", ""},
		{StepConfirm, "1000", "Confirm in the app", "approve decline expire", "choice=expire", Expired, "0", ""},
		{StepCode, "1000", RightCode, "approve decline expire", "choice=approve&code=123456", Approved, "1000",
			"dispute fail"},
		{StepSend, "1000", "Send the money", "approve half double decline expire late", "choice=approve", Approved, "1000",
			"dispute fail"},
		{StepSend, "1000", "Send half of it", "approve half double decline expire late", "choice=half", Waiting, "500",
			"rest whole decline expire"},
		{StepSend, "1000", "Send twice", "approve half double decline expire late", "choice=double", Approved, "2000",
			"dispute fail"},
		{StepSend, "1000", "too late", "approve half double decline expire late", "choice=late", Expired, "1000", "whole"},
		{StepSend, "1000", "time run out", "approve half double decline expire late", "choice=expire", Expired, "0", "whole"},
		{StepSend, "0", "Amount in USD", "send decline expire", "choice=send&amount=3.20", Approved, "320", "dispute fail"},
	} {
		inBubble(t, Options{}, func(t *testing.T, b *bench) {
			o := b.must(plainRequest{Kind: Charge, Reference: "r1", Amount: test.amount, Step: test.step, Return: back})
			page := b.page("/pay/" + o.ID)
			if buttons(page) != test.buttons || !strings.Contains(page, test.says) ||
				!strings.Contains(page, "This is a simulator") {
				t.Errorf("%s: %s in %s", test.step, buttons(page), page)
			}
			values, _ := url.ParseQuery(test.press)
			if status, to := b.press(o.ID, values); status != http.StatusSeeOther || to != back {
				t.Errorf("%s %s: %d, to %s", test.step, test.press, status, to)
			}
			now, _ := b.simulator.Operation(o.ID)
			page = b.page("/pay/" + o.ID)
			if now.State != test.state || now.Moved.Minor() != test.moved || buttons(page) != test.then {
				t.Errorf("%s %s: %s, %s moved, then %s", test.step, test.press, now.State, now.Moved.Minor(), buttons(page))
			}
		})
	}
}

// TestWrongPresses sends what no button sends, or too late: the page says so and nothing changes.
func TestWrongPresses(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, b *bench) {
		code := b.must(plainRequest{Kind: Charge, Reference: "r1", Amount: "1000", Step: StepCode, Seconds: 60})
		open := b.must(plainRequest{Kind: Charge, Reference: "r2", Amount: "0", Step: StepSend, Seconds: 60})
		for id, values := range map[string]url.Values{
			code.ID: {"choice": {"approve"}, "code": {"000000"}}, open.ID: {"choice": {"send"}, "amount": {"<i>"}},
		} {
			status, _ := b.press(id, values)
			if o, _ := b.simulator.Operation(id); status != http.StatusUnprocessableEntity || o.State != Waiting {
				t.Errorf("%v: %d, %s", values, status, o.State)
			}
		}
		time.Sleep(time.Minute + time.Second)
		if status, _ := b.press(code.ID, url.Values{"choice": {"decline"}}); status != http.StatusUnprocessableEntity {
			t.Errorf("after the time: %d", status)
		}
		if o, _ := b.simulator.Operation(code.ID); o.State != Expired {
			t.Errorf("after the time: %s", o.State)
		}
		if status, _ := b.press("none", url.Values{"choice": {"approve"}}); status != http.StatusNotFound {
			t.Errorf("an operation that is none: %d", status)
		}
	})
}

// TestList does by the list's forms what control calls do.
func TestList(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, b *bench) {
		o := b.must(plainRequest{Kind: Charge, Reference: "<i>r1</i>", Amount: "1000", Step: StepPage, Notice: noticeTo})
		b.told(time.Second)
		page := b.page("/")
		for _, want := range append([]string{"/plain", "&lt;i&gt;r1&lt;/i&gt;", "waiting, try 1: 200", "4000000000009219"},
			string(faultsExplained[0].Fault), "…9.05") {
			if !strings.Contains(page, want) {
				t.Errorf("the list has no %q:\n%s", want, page)
			}
		}
		post := func(form url.Values) int {
			response, err := b.client.PostForm("http://simulator/", form)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			return response.StatusCode
		}
		for _, good := range []url.Values{
			{"form": {"act"}, "id": {o.ID}, "choice": {"approve"}}, {"form": {"chance"}, "seed": {"5"}, "chance": {"0"}},
			{"form": {"next"}, "fault": {"server_error"}},
		} {
			if status := post(good); status != http.StatusSeeOther {
				t.Errorf("%v: %d", good, status)
			}
		}
		if now, _ := b.simulator.Operation(o.ID); now.State != Approved || b.simulator.chance().Seed != 5 {
			t.Errorf("%+v", now)
		}
		if _, _, err := b.post(plainRequest{Kind: Charge, Reference: "r2", Amount: "1000"}); err == nil {
			t.Error("the fault did not happen")
		}
		for _, wrong := range []url.Values{
			{}, {"form": {"act"}, "id": {"none"}, "choice": {"approve"}}, {"form": {"chance"}, "seed": {"-1"}, "chance": {"0"}},
			{"form": {"chance"}, "seed": {"1"}, "chance": {"101"}}, {"form": {"next"}, "fault": {"none"}},
		} {
			if status := post(wrong); status != http.StatusUnprocessableEntity {
				t.Errorf("%v: %d", wrong, status)
			}
		}
		if post(url.Values{"form": {"reset"}}); len(b.simulator.Operations()) != 0 {
			t.Error("nothing was forgotten")
		}
	})
}
