package plugins

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/local/client"
	"checkout/internal/local/cloud/child"
)

// plugin is the folder of the plugin for WooCommerce.
const plugin = "../../../infra/plugins/woocommerce/"

// shop is a shop with the plugin that runs.
type shop struct {
	*world
	*front
	t      *testing.T
	url    string
	folder string
	client *http.Client

	process *child.Process
	ended   chan struct{} // closed when all of output was read
	output  bytes.Buffer  // complete once ended is closed
}

var (
	processor atomic.Int64 // of all shops, in nanoseconds
	address   = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	noise     = regexp.MustCompile(`Development Server|(Accepted|Closing)$`) // of PHP's server
)

// open opens a shop with settings that differ from the usual ones, or skips the test on a machine without PHP.
func (w *world) open(t *testing.T, different map[string]string) *shop {
	t.Helper()
	if _, err := exec.LookPath("php"); err != nil {
		t.Skip("php is not on this machine, so that the plugin for WooCommerce is not run")
	}
	s := &shop{world: w, front: w.newFront(t), t: t, folder: t.TempDir(), ended: make(chan struct{}),
		client: &http.Client{Transport: &http.Transport{}, Timeout: time.Minute,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	set := s.settings()
	maps.Copy(set, different)
	s.write("options.json", map[string]any{"woocommerce_hosted_checkout_settings": set})
	s.run()
	return s
}

// settings are the usual settings of the plugin.
func (s *shop) settings() map[string]string {
	return map[string]string{"enabled": "yes", "title": "Card & more", "description": "You pay on a page.",
		"base_url": s.front.url + "/", "merchant_key": "woo-live", "test_key": merchant.Key, "test_mode": "yes",
		"password": merchant.Password, "callback_secret": merchant.CallbackSecret, "authorize_only": "no", "hash": "md5"}
}

// twin opens another entrance to the same shop: what waits in one can't delay what comes by the other.
func (s *shop) twin() *shop {
	s.t.Helper()
	other := &shop{world: s.world, front: s.front, t: s.t, folder: s.folder, client: s.client, ended: make(chan struct{})}
	other.run()
	return other
}

// run starts the shop's process and finds out its address.
func (s *shop) run() {
	s.t.Helper()
	main, err := filepath.Abs(filepath.Join(cmp.Or(s.world.plugin, plugin), "hosted-checkout.php"))
	if err != nil {
		s.t.Fatal(err)
	}
	command := exec.Command("php", "-d", "opcache.enable_cli=1", "-S", "127.0.0.1:0", "shop.php")
	command.Dir = "testdata"
	command.Env = append(os.Environ(), "SHOP_FOLDER="+s.folder, "PLUGIN="+main, "PHP_CLI_SERVER_WORKERS=4")
	read, write, err := os.Pipe()
	if err != nil {
		s.t.Fatal(err)
	}
	command.Stdout, command.Stderr = write, write
	if s.process, err = child.Start(command); err != nil {
		s.t.Fatal(err)
	}
	write.Close()
	s.t.Cleanup(s.stop)
	found := make(chan string, 1)
	go func() {
		defer close(s.ended)
		defer close(found)
		defer read.Close()
		told := false
		for lines := bufio.NewScanner(read); lines.Scan(); {
			if url := address.FindString(lines.Text()); url != "" && !told {
				told = true
				found <- url
			}
			if !noise.MatchString(lines.Text()) {
				fmt.Fprintln(&s.output, lines.Text())
			}
		}
	}()
	if s.url = <-found; s.url == "" {
		s.t.Fatalf("it did not start:\n%s", &s.output)
	}
}

// secrets are texts that no log may have.
var secrets = []string{merchant.Password, merchant.CallbackSecret, "merchant_key", "order_number", "411111"}

// stop ends the shop, and checks that nothing went wrong in it and that no secret was logged.
func (s *shop) stop() {
	s.process.Kill()
	<-s.ended
	s.client.CloseIdleConnections()
	processor.Add(int64(s.process.Processor()))
	log, err := os.ReadFile(filepath.Join(s.folder, "log.txt"))
	if err != nil && !os.IsNotExist(err) {
		s.t.Error(err)
	}
	for _, secret := range secrets {
		if bytes.Contains(log, []byte(secret)) || bytes.Contains(s.output.Bytes(), []byte(secret)) {
			s.t.Errorf("%q was logged", secret)
		}
	}
	if s.output.Len() > 0 || s.t.Failed() {
		s.t.Errorf("log:\n%s\noutput:\n%s", log, &s.output)
	}
}

// awaitWaiting waits until a process waits for another's change of an order.
func (s *shop) awaitWaiting() {
	sign := filepath.Join(s.folder, "somebody-waits")
	os.Remove(sign) // of what has waited before
	for s.ctx.Err() == nil && os.Remove(sign) != nil {
		time.Sleep(time.Millisecond)
	}
}

// write stores a file of the shop as JSON.
func (s *shop) write(name string, content any) {
	s.t.Helper()
	text, err := json.Marshal(content)
	if err == nil {
		err = os.WriteFile(filepath.Join(s.folder, name), text, 0o600)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// ask makes a request to the shop: of its people below /test/, else as a buyer or the service.
func (s *shop) ask(request *http.Request, err error) (*http.Response, []byte) {
	if err != nil {
		s.t.Error(err)
		return &http.Response{}, nil
	}
	response, err := s.client.Do(request.WithContext(s.ctx))
	if err != nil {
		s.t.Error(err)
		return &http.Response{}, nil
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Error(err)
	}
	return response, body
}

// do lets people of the shop do something, and returns what they see.
func (s *shop) do(format string, of ...any) string {
	s.t.Helper()
	return s.send(fmt.Sprintf(format, of...), nil)
}

// send is do with something to send as JSON.
func (s *shop) send(path string, content any) string {
	s.t.Helper()
	text, err := json.Marshal(content)
	if err != nil {
		s.t.Fatal(err)
	}
	response, body := s.ask(http.NewRequest(http.MethodPost, s.url+"/test/"+path, bytes.NewReader(text)))
	if response.StatusCode != http.StatusOK {
		s.t.Errorf("%s: %d %s", path, response.StatusCode, body)
	}
	return string(body)
}

// checkout lets a buyer place an order, and returns where that leads: "" if it fails.
func (s *shop) checkout(id int) string {
	s.t.Helper()
	var result struct{ Result, Redirect string }
	s.parse(s.do("pay?id=%d", id), &result)
	if (result.Result == "success") != (result.Redirect != "") {
		s.t.Errorf("order %d: %+v", id, result)
	}
	return result.Redirect
}

// back lets a buyer return from the page, and returns where that leads: its path, N for the order's id, and a notice.
func (s *shop) back(id int, key, how string) string {
	s.t.Helper()
	query := url.Values{"wc-api": {"hosted_checkout_return"}, "order": {fmt.Sprint(id)}, "key": {key}, "how": {how}}
	response, body := s.ask(http.NewRequest(http.MethodGet, s.url+"/?"+query.Encode(), nil))
	if response.StatusCode != http.StatusFound {
		s.t.Errorf("return: %d %s", response.StatusCode, body)
	}
	path := strings.TrimPrefix(response.Header.Get("Location"), s.url)
	return strings.Replace(path, fmt.Sprintf("/%d", id), "/N", 1) + response.Header.Get("X-Notice")
}

// callback waits for the next callback of an order.
func (s *shop) callback(id int) client.Callback {
	s.t.Helper()
	select {
	case c := <-s.of(s.number(id)):
		return c
	case <-s.ctx.Done():
		s.t.Fatal("no callback came")
	}
	return client.Callback{}
}

// deliver sends a callback to the shop and checks the status of the response.
func (s *shop) deliver(c client.Callback, want int) {
	s.t.Helper()
	request, err := http.NewRequest(http.MethodPost, s.url+"/?wc-api=hosted_checkout", bytes.NewReader(c.Body))
	if err == nil {
		request.Header = c.Header.Clone()
	}
	if response, body := s.ask(request, err); response.StatusCode != want {
		s.t.Errorf("callback %s, %s: %d %s, want %d", c.ID(), c.Event(), response.StatusCode, body, want)
	}
}
