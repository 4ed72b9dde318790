package browser

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// root is the repository's folder.
const root = "../../.."

// patience is how long tests wait for what has to happen.
const patience = 5 * time.Minute

// together is how many stories run at the same time. They mostly wait.
const together = 6

// chrome is the one browser of all tests; each story has a profile of its own in it.
var chrome context.Context

func TestMain(m *testing.M) { os.Exit(withBrowser(m)) }

func withBrowser(m *testing.M) int {
	program, err := findBrowser()
	if err != nil {
		fmt.Fprintln(os.Stderr, "the page's tests need Chromium, run `make tools`:", err)
		return 1
	}
	folder, err := os.MkdirTemp("", "checkout-browser-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	fonts, err := filepath.Abs(filepath.Join("testdata", "fonts.conf"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	host := startPayHost()
	defer host.Close()
	allocator, stop := chromedp.NewExecAllocator(context.Background(),
		append(append(flags(), trusted(host)...), chromedp.ExecPath(program),
			chromedp.UserDataDir(filepath.Join(folder, "profile")),
			chromedp.Env("FONTCONFIG_FILE="+fonts))...)
	defer stop()
	ctx, end := chromedp.NewContext(allocator)
	defer end()
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[int]("1")); err != nil {
		fmt.Fprintf(os.Stderr, "%s does not start, run `make tools`: %v\n", program, err)
		return 1
	}
	chrome = ctx
	flag.Parse()
	if err := flag.Set("test.parallel", strconv.Itoa(together)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// findBrowser returns the path of $CHROMIUM, else of Chromium's headless shell, which is the same engine without the
// windows around pages and takes a third of the processor's time, else of the whole Chromium.
func findBrowser() (path string, err error) {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium-headless-shell", "chromium"} {
		if name == "" {
			continue
		}
		if path, err = exec.LookPath(name); err == nil || name == os.Getenv("CHROMIUM") {
			return path, err
		}
	}
	return "", err
}

// flags are those of a browser without background activity.
func flags() []chromedp.ExecAllocatorOption {
	options := []chromedp.ExecAllocatorOption{chromedp.WindowSize(1280, 900), chromedp.Flag("headless", "new")}
	for _, name := range []string{
		"no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "no-default-browser-check",
		"disable-background-networking",
		"disable-component-update", "disable-sync", "disable-extensions", "disable-default-apps", "disable-breakpad",
		"disable-dev-shm-usage", "disable-background-timer-throttling", "disable-backgrounding-occluded-windows",
		"disable-renderer-backgrounding", "disable-ipc-flooding-protection", "metrics-recording-only", "hide-scrollbars",
		"force-prefers-reduced-motion", "site-per-process",
	} {
		options = append(options, chromedp.Flag(name, true))
	}
	return append(options,
		chromedp.Flag("proxy-server", "direct://"),
		chromedp.Flag("lang", "en-US"),
		chromedp.Flag("password-store", "basic"),
	)
}
