// Package receivers runs the samples of infra/receivers as their users would, and sends them callbacks of the service.
package receivers

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"checkout/internal/local/client"
	"checkout/internal/local/cloud/child"
)

// folder has the samples.
const folder = "../../../infra/receivers/"

// sample is a receiver: its file in folder, what it needs on the machine, and the shell line that starts it in folder.
type sample struct {
	language string
	file     string
	needs    []string
	run      string
}

var samples = []sample{
	{"PHP", "receiver.php", []string{"php"}, "exec php -S 127.0.0.1:0 $FILE"},
	{"Python", "receiver.py", []string{"python3"}, "exec python3 $FILE"},
	{"JavaScript", "receiver.mjs", []string{"node"}, "exec node $FILE"},
	{"Go", "receiver.go", []string{"go"}, "exec go run $FILE"},
	{"Java", "Receiver.java", []string{"java", "javac"}, "exec java $FILE"},
	{"C#", "Receiver.cs", []string{"mcs", "mono"}, "mcs -r:System.Runtime.Serialization -r:System.Xml.Linq " +
		"-out:$TMPDIR/Receiver.exe $FILE && exec mono $TMPDIR/Receiver.exe"},
}

// receiver is a sample that runs.
type receiver struct {
	t       *testing.T
	url     string
	client  *http.Client
	process *child.Process
	ended   chan struct{} // closed when all of output was read

	output bytes.Buffer // complete once ended is closed
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// start starts a sample, or skips the test on a machine without its language.
func (s sample) start(t *testing.T) *receiver {
	t.Helper()
	for _, need := range s.needs {
		if _, err := exec.LookPath(need); err != nil {
			t.Skipf("%s is not on this machine, so that the receiver in %s is not run", need, s.language)
		}
	}
	if _, err := os.ReadFile(folder + s.file); err != nil { // the test runs again when the file changes
		t.Fatal(err)
	}
	command := exec.Command("sh", "-c", s.run)
	command.Dir = folder
	command.Env = append(os.Environ(), "CHECKOUT_CALLBACK_SECRET="+shop.CallbackSecret, "CHECKOUT_PASSWORD="+shop.Password,
		"FILE="+s.file, "PORT=0", "TMPDIR="+t.TempDir())
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stdout, command.Stderr = write, write
	client := &http.Client{Transport: &http.Transport{}, Timeout: time.Minute}
	r := &receiver{t: t, client: client, ended: make(chan struct{})}
	if r.process, err = child.Start(command); err != nil {
		t.Fatal(err)
	}
	write.Close()
	t.Cleanup(r.stop)
	found := make(chan string, 1)
	go func() {
		defer close(r.ended)
		defer close(found)
		defer read.Close()
		for lines := bufio.NewScanner(read); lines.Scan(); {
			if url := address.FindString(lines.Text()); url != "" && len(found) == 0 && r.output.Len() == 0 {
				found <- url
			}
			fmt.Fprintln(&r.output, lines.Text())
		}
	}()
	if r.url = <-found; r.url == "" {
		t.Fatalf("it did not start:\n%s", &r.output)
	}
	return r
}

// stop ends the receiver and reads what is left of its output.
func (r *receiver) stop() {
	r.process.Kill()
	<-r.ended
	r.client.CloseIdleConnections()
}

// orders are the lines in which the receiver said what it did, in their order. It ends the receiver.
func (r *receiver) orders() (lines []string) {
	r.stop()
	for line := range strings.Lines(r.output.String()) {
		if strings.HasPrefix(line, "sale ") || strings.HasPrefix(line, "refund ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// send sends a callback and checks the status of the response.
func (r *receiver) send(what string, c client.Callback, want int) {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), http.MethodPost, r.url, bytes.NewReader(c.Body))
	if err != nil {
		r.t.Error(err)
		return
	}
	request.Header = c.Header.Clone()
	response, err := r.client.Do(request)
	if err != nil {
		r.t.Errorf("%s: %v", what, err)
		return
	}
	response.Body.Close()
	if response.StatusCode != want {
		r.t.Errorf("%s of %s: status %d, want %d", what, c.Fields.Get("order_number"), response.StatusCode, want)
	}
}

// changed returns a copy of a callback that a test may change.
func changed(c client.Callback) client.Callback {
	c.Header, c.Body = c.Header.Clone(), slices.Clone(c.Body)
	return c
}

// signed signs a callback at a time with a secret.
func signed(t *testing.T, c client.Callback, secret string, at time.Time) client.Callback {
	t.Helper()
	webhook, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := webhook.Sign(c.ID(), at, c.Body)
	if err != nil {
		t.Fatal(err)
	}
	c = changed(c)
	c.Header.Set("webhook-timestamp", strconv.FormatInt(at.Unix(), 10))
	c.Header.Set("webhook-signature", signature)
	return c
}

// forgeries are callbacks that differ from a good one so that nobody may believe them, by what is wrong.
func forgeries(t *testing.T, good client.Callback) map[string]client.Callback {
	t.Helper()
	secret, now := shop.CallbackSecret, time.Now()
	signature := good.Header.Get("webhook-signature")
	with := func(name, value string) client.Callback {
		c := changed(good)
		c.Header.Set(name, value)
		return c
	}
	body := changed(good)
	body.Body = bytes.Replace(body.Body, []byte("10.00"), []byte("10.01"), 1)
	stranger := shop
	stranger.Password = "another-password"
	hash := changed(good)
	hash.Body = bytes.Replace(hash.Body, []byte(good.Fields.Get("hash")), []byte(stranger.Hash(good.Signed()...)), 1)
	none := changed(good)
	none.Header.Del("webhook-signature")
	seconds, err := strconv.ParseInt(good.Header.Get("webhook-timestamp"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]client.Callback{
		"changed body":        body,
		"wrong password":      signed(t, hash, secret, now),
		"wrong secret":        signed(t, good, "whsec_"+base64.StdEncoding.EncodeToString([]byte("another-secret")), now),
		"old callback":        signed(t, good, secret, now.Add(-6*time.Minute)),
		"callback to come":    signed(t, good, secret, now.Add(6*time.Minute)),
		"another timestamp":   with("webhook-timestamp", strconv.FormatInt(seconds-1, 10)),
		"no time":             with("webhook-timestamp", "soon"),
		"another id":          with("webhook-id", good.ID()+"1"),
		"no signature":        none,
		"empty signature":     with("webhook-signature", ""),
		"shorter signature":   with("webhook-signature", signature[:len(signature)-1]),
		"signature of others": with("webhook-signature", "v1,AAAA "+strings.Replace(signature, "v1,", "v2,", 1)),
	}
}

// TestReceivers sends each sample forged callbacks, and each good one several times.
func TestReceivers(t *testing.T) {
	sent, want := callbacks(t)
	for _, s := range samples {
		t.Run(s.language, func(t *testing.T) {
			t.Parallel()
			r := s.start(t)
			for _, good := range sent {
				for what, c := range forgeries(t, good) {
					r.send(what, c, http.StatusBadRequest)
				}
				var all sync.WaitGroup
				for range 3 {
					all.Go(func() { r.send("callback", good, http.StatusOK) })
				}
				all.Wait()
				two := changed(good)
				two.Header.Set("webhook-signature", "v1,AAAA "+good.Header.Get("webhook-signature"))
				r.send("callback with two signatures", two, http.StatusOK)
			}
			if got := r.orders(); !slices.Equal(got, want) {
				t.Errorf("%s\nwant %s\noutput:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), &r.output)
			}
			t.Logf("%v of processor time", r.process.Processor())
		})
	}
}

// wait returns the next callback.
func wait(ctx context.Context, t *testing.T, came <-chan client.Callback) client.Callback {
	t.Helper()
	select {
	case c := <-came:
		return c
	case <-ctx.Done():
		t.Fatal("no callback came")
	}
	return client.Callback{}
}
