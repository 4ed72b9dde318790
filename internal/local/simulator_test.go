package local_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/local"
	"checkout/internal/local/simulator"
	"checkout/internal/page/screen"
)

// TestLiveKeyLeadsToTheSimulator pays by QR code with the live key: the provider is the simulator, which gets the money
// and sends a notice. With the test key it gets nothing.
func TestLiveKeyLeadsToTheSimulator(t *testing.T) {
	server, client := start(t), browser(t)
	for _, key := range []string{"test", "live"} {
		page := buy(t, client, server.URL, url.Values{
			"method": {"instant_qr"}, "amount": {"10.00"}, "currency": {"BRL"}, "key": {key}, "customer": {"yes"}})
		shown := good(t)(page.Screen())
		order := shown.Order.Number
		good(t)(page.Pay(""))
		eventually(t, "the QR code", func() bool {
			shown = good(t)(page.Screen())
			return shown.Kind == screen.KindWait && len(shown.Show) > 0
		})
		operations := server.Simulator.Providers.Operations()
		if key == "test" {
			if len(operations) > 0 {
				t.Fatalf("the test key led to %+v", operations)
			}
			continue
		}
		if len(operations) != 1 || operations[0].Family != "collection" || operations[0].State != simulator.Waiting {
			t.Fatalf("%+v", operations)
		}
		server.Simulator.Providers.Act(operations[0].ID, simulator.Approve)
		eventually(t, "paid", func() bool {
			shown = good(t)(page.Screen())
			return shown.Kind != screen.KindWait
		})
		checkOrderOf(t, client, server.URL, order)
		checkResult(t, client, server.URL, shown, result{order: order, ending: "success", status: "settled"})
		eventually(t, "the notice", func() bool {
			return slices.ContainsFunc(server.Simulator.Providers.Notices(), func(n simulator.SentNotice) bool {
				return n.State == simulator.Approved && n.Status == http.StatusOK
			})
		})
	}
}

// checkOrderOf waits for the callback about the end of an order.
func checkOrderOf(t *testing.T, client *http.Client, base, order string) {
	t.Helper()
	eventually(t, "callback", func() bool {
		for _, c := range callbacks(t, client, base+"/demo/callbacks?order="+url.QueryEscape(order)) {
			if c.Body["type"] == "sale" && c.Body["status"] == "success" && c.HashOK && c.SignatureOK {
				return true
			}
		}
		return false
	})
}

// TestEveryMethodIsSimulated looks for a MID at the simulator for each method that is offered, and for a MID of each
// family that is simulated.
func TestEveryMethodIsSimulated(t *testing.T) {
	var merchants []struct {
		Mappings []struct {
			PreRouting []struct{ Methods []string } `json:"pre_routing"`
			MIDs       []struct {
				Credentials map[string]string `json:"credentials"`
				Methods     []string          `json:"methods"`
			} `json:"mids"`
		} `json:"mappings"`
	}
	var methods []struct {
		ID      string `json:"id"`
		Offered bool   `json:"offered"`
	}
	for name, into := range map[string]any{"merchants.json": &merchants, "methods.json": &methods} {
		text, err := os.ReadFile(filepath.Join("..", "..", "infra", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatal(err)
		}
	}
	simulated, families := map[string]bool{}, map[string]bool{}
	for _, mid := range merchants[0].Mappings[0].MIDs {
		family, found := strings.CutPrefix(mid.Credentials["url"], "{SIMULATOR_URL}/")
		families[family] = true
		for _, id := range mid.Methods {
			simulated[id] = found
		}
	}
	for _, m := range methods {
		if m.Offered && !simulated[m.ID] {
			t.Errorf("no MID at the simulator for %s", m.ID)
		}
		if order := merchants[0].Mappings[0].PreRouting[0].Methods; m.Offered && !slices.Contains(order, m.ID) {
			t.Errorf("%s has no place in the order of methods, so it is not shown", m.ID)
		}
	}
	for _, family := range simulator.New(simulator.Options{}).Families() {
		if !families[family] {
			t.Errorf("no MID at the simulator's family %s", family)
		}
	}
}

// runSimulator runs `make simulator` until the function that is returned with its output.
func runSimulator(t *testing.T, env map[string]string) (out, log *output, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, log = &output{}, &output{}
	ended := make(chan int, 1)
	go func() {
		ended <- local.RunSimulator(ctx, func(name string) string { return env[name] }, time.Now,
			local.Output{Out: out, Log: log})
	}()
	return out, log, func() int {
		cancel()
		return <-ended
	}
}

func TestRunSimulator(t *testing.T) {
	out, log, stop := runSimulator(t, map[string]string{"PORT": "0"})
	eventually(t, "ready", func() bool { return strings.Contains(out.String(), "README.md") })
	found := regexp.MustCompile(`^ready on (http://localhost:(\d+))\n`).FindStringSubmatch(out.String())
	if found == nil {
		t.Fatal(out.String())
	}
	wants := []string{"/collection\n", "  " + simulator.Key + "\n", "  " + simulator.Secret + "\n", found[1] + "/\n"}
	for _, text := range wants {
		if !strings.Contains(out.String(), text) {
			t.Errorf("no %q in\n%s", text, out.String())
		}
	}
	if status, _, body := get(t, browser(t), found[1]+"/"); status != http.StatusOK ||
		!strings.Contains(body, "Simulated providers") {
		t.Errorf("%d %s", status, body)
	}
	takenOut, takenLog, takenStop := runSimulator(t, map[string]string{"PORT": found[2]})
	eventually(t, "refused", func() bool { return takenLog.String() != "" })
	want := "port " + found[2] + " is taken: end what uses it, or set PORT to another one\n"
	if code := takenStop(); code != 1 || takenOut.String() != "" || takenLog.String() != want {
		t.Errorf("%d %s%s", code, takenOut.String(), takenLog.String())
	}

	open, err := net.Dial("tcp", strings.TrimPrefix(found[1], "http://")) // a connection that asks for nothing
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	begin := time.Now()
	if code := stop(); code != 0 || time.Since(begin) > time.Second || log.String() != "" {
		t.Errorf("exit code %d after %s: %s", code, time.Since(begin), log.String())
	}
}

// TestPortOfTheSimulator names the variable of a port that can't be had.
func TestPortOfTheSimulator(t *testing.T) {
	server := start(t)
	taken := server.Simulator.URL[strings.LastIndex(server.Simulator.URL, ":")+1:]
	for port, want := range map[string]string{
		taken: "port " + taken + " is taken: end what uses it, or set SIMULATOR_PORT to another one\n",
		"x":   "SIMULATOR_PORT is \"x\": not a number from 0 to 65535\n",
	} {
		var out, log output
		env := map[string]string{"PORT": "0", "SIMULATOR_PORT": port}
		code := local.Run(t.Context(), func(name string) string { return env[name] }, config(t),
			local.Output{Out: &out, Log: &log})
		if code != 1 || out.String() != "" || log.String() != want {
			t.Errorf("%d %s%s", code, out.String(), log.String())
		}
	}
}
