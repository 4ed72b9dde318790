package bench

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/engine"
	"checkout/internal/local/visitor"
)

// BenchmarkWarm measures functions that run already, which have the time of one start among those of many calls.
func BenchmarkWarm(b *testing.B) {
	s := start(b)
	b.Run("session", func(b *testing.B) { compare(b, false, s.side(b, "session"), s.plain("write")) })
	b.Run("status", func(b *testing.B) { compare(b, false, s.side(b, "status"), s.plain("read")) })
}

// BenchmarkCold measures how long each binary takes from its start to its first response.
func BenchmarkCold(b *testing.B) {
	s := start(b)
	b.Run("empty", func(b *testing.B) { compare(b, true, s.plain("empty"), s.plain("write")) })
	b.Run("write", func(b *testing.B) { compare(b, true, s.plain("write"), s.plain("empty")) })
	for _, f := range s.service.Template().Functions {
		b.Run(f.Name, func(b *testing.B) { compare(b, true, s.side(b, f.Name), s.plain("empty"), s.plain("write")) })
	}
}

// stage is the service and what it is compared with, each in a local cloud of its own on the same engines.
type stage struct {
	service, baseline *cloud.Cloud
	payment           string // one that is paid
}

func start(b *testing.B) stage {
	b.Helper()
	folder := b.TempDir()
	for name, source := range map[string]string{"empty": "empty", "read": "baseline", "write": "baseline"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.Rename(build(b, source), filepath.Join(folder, name, "bootstrap")); err != nil {
			b.Fatal(err)
		}
	}
	engines := startEngines(b)
	s := stage{
		service: open(b, cloud.Config{
			Root: root, Engines: engines, NoStreams: true,
			Parameters: map[string]string{
				"OriginCheck": "off", // functions are called without CloudFront
				"AdminLogin":  "oidc", "AdminLoginIssuer": "https://id.example", "AdminLoginClientId": "bench",
				"AdminLoginSecret": "bench",
			},
		}),
		baseline: open(b, cloud.Config{Template: "baseline/template.yaml", BinaryDir: folder, Engines: engines}),
	}
	paid, err := visit(b, s.service).Checkout(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	s.payment = paid.Payment
	putGrant(b, engines, s.service, "finance")
	return s
}

// putGrant gives the person of the sample events a role.
func putGrant(b *testing.B, engines *engine.Engines, service *cloud.Cloud, role string) {
	b.Helper()
	text := func(s string) map[string]string { return map[string]string{"S": s} }
	put := map[string]any{"TableName": service.TableName("Table"), "Item": map[string]any{
		"pk": text("operators"), "sk": text("operators"), "v": map[string]string{"N": "1"},
		"doc": text(`{"grants":[{"who":"arn:aws:sts::111122223333:assumed-role/Finance/*","role":"` + role +
			`","merchants":["*"],"mode":"both"}]}`)}}
	if err := engines.Tables().Call(b.Context(), "PutItem", put, nil); err != nil {
		b.Fatal(err)
	}
}

func startEngines(b *testing.B) *engine.Engines {
	b.Helper()
	engines, err := cloud.StartEngines(b.Context(), root, os.Getenv)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(engines.Close)
	return engines
}

func open(b *testing.B, config cloud.Config) *cloud.Cloud {
	b.Helper()
	config.StackName, config.NoSchedule = "bench"+strings.ToLower(rand.Text()), true
	config.Environment = map[string]string{"ALLOW_LOOPBACK_CALLBACKS": "true"}
	c, err := cloud.Start(b.Context(), config)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(c.Close)
	return c
}

func visit(b *testing.B, service *cloud.Cloud) *visitor.Visitor {
	b.Helper()
	v, err := visitor.Start(b.Context(), service, root)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(v.Close)
	return v
}

// side is a function that is measured.
type side struct {
	cloud *cloud.Cloud
	name  string
	event func() []byte // of the next call
	times []time.Duration
}

// plain is a function of the baseline.
func (s stage) plain(name string) *side {
	return &side{cloud: s.baseline, name: name, event: func() []byte { return []byte("{}") }}
}

// side is a function of the service, with its first sample event, and for operators what they do most. Sessions are of
// new orders, and the status is that of the paid payment.
func (s stage) side(b *testing.B, name string) *side {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(root, "events", name, "*.json"))
	if err != nil || len(files) == 0 {
		b.Fatalf("no sample event of %s", name)
	}
	file := name + "/" + filepath.Base(files[0])
	switch name {
	case "session":
		return &side{cloud: s.service, name: name, event: func() []byte { return signed(b, file, "order-"+rand.Text()) }}
	case "status":
		event := signed(b, "status/by_payment_id.json", s.payment)
		return &side{cloud: s.service, name: name, event: func() []byte { return event }}
	case "adminread":
		file = "adminread/find.json"
	case "adminact":
		file = "adminact/look_up.json"
	case "adminlogin":
		file = "adminlogin/refresh.json" // a read
	}
	event := read(b, "events/"+file)
	return &side{cloud: s.service, name: name, event: func() []byte { return event }}
}

// compare calls some functions in turn, so that other load of the machine affects them alike, and reports the times of
// the first and their ratio to those of the others.
func compare(b *testing.B, cold bool, sides ...*side) {
	b.Helper()
	for _, s := range sides {
		s.cloud.Kill(s.name) // so that processor time of earlier calls does not count
		s.cloud.Reset()
	}
	for b.Loop() {
		for _, s := range sides {
			s.call(b, cold)
		}
	}
	p50, p90 := percentile(sides[0].times, 50), percentile(sides[0].times, 90)
	cpu := sides[0].processor()
	report(b, p50, p90)
	b.ReportMetric(cpu, "cpu-ms")
	for _, s := range sides[1:] {
		b.ReportMetric(p50/percentile(s.times, 50), "p50/"+s.name)
		b.ReportMetric(cpu/s.processor(), "cpu/"+s.name)
	}
}

// call calls the function, and ends its environment if the next call shall start it.
func (s *side) call(b *testing.B, cold bool) {
	b.Helper()
	event, began := s.event(), time.Now()
	result, err := s.cloud.Invoke(b.Context(), s.name, event)
	s.times = append(s.times, time.Since(began))
	if err != nil || result.FunctionError != "" || !cold && !succeeded(result.Payload) {
		b.Fatalf("%s: %v %s", s.name, err, result.Payload)
	}
	if cold {
		s.cloud.Kill(s.name)
	}
}

// processor is how many milliseconds of processor time a call has used. It ends the environment, whose time is only
// known then.
func (s *side) processor() float64 {
	s.cloud.Kill(s.name)
	return ms(s.cloud.Snapshot()[s.name].Processor) / float64(len(s.times))
}

func report(b *testing.B, p50, p90 float64) {
	b.Helper()
	b.ReportMetric(0, "ns/op") // of all sides together
	b.ReportMetric(p50, "p50-ms")
	b.ReportMetric(p90, "p90-ms")
}

// percentile is how many milliseconds p per cent of the times do not exceed.
func percentile(times []time.Duration, p int) float64 {
	return ms(slices.Sorted(slices.Values(times))[len(times)*p/100])
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
