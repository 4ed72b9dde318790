package main

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/internal/local/adminpage"
	"checkout/internal/operator/signin"
)

func loginCommand(c *call) *cobra.Command {
	var noOpen bool
	l := login{}
	cmd := c.command(leaf{
		use: "login [ADDRESS]", example: "login https://admin.example.com", args: cobra.MaximumNArgs(1),
		does: "sign in with a browser of this machine, in place of AWS credentials, for the commands that follow",
		run: func(ctx context.Context, args []string) error {
			l.page = c.env("CHECKOUT_PAGE_URL")
			if len(args) == 1 {
				l.page = args[0]
			}
			if c.tables && !noOpen {
				l.open = openBrowser
			}
			return c.login(ctx, l)
		},
	})
	cmd.Flags().BoolVar(&noOpen, "no-open", false, "only print the link")
	return cmd
}

func logoutCommand(c *call) *cobra.Command {
	return c.command(leaf{
		use: "logout", does: "end the session that login has begun", example: "logout",
		run: func(ctx context.Context, _ []string) error { return c.logout(ctx) },
	})
}

// login is how somebody signs in.
type login struct {
	page string                  // address of the admin page
	open func(file string) error // opens a file that leads to it; nil: the link is only printed
}

// loginTimeout is how long a person has.
const loginTimeout = signin.AttemptTTL

// login signs a person in: the browser brings a code to a port of this machine, and the verifier, which never leaves
// this process before, makes a session of it.
func (c *call) login(ctx context.Context, l login) error {
	l.page = strings.TrimRight(l.page, "/")
	if l.page == "" {
		return misusef("no admin page: name its address, or a stack that has one with checkout use STACK")
	}
	if err := checkPage(l.page); err != nil {
		return err
	}
	if c.config == "" {
		return errors.New("no folder for configuration: set HOME or XDG_CONFIG_HOME")
	}
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	verifier, state := unguessable(), unguessable()
	code, err := c.codeOf(ctx, l, verifier, state)
	if err != nil {
		return err
	}
	s, err := redeem(ctx, l.page, code, verifier)
	if err != nil {
		return err
	}
	s.Stack, s.Region = c.file.Stack, c.file.Region
	if err := c.store(s); err != nil {
		return fmt.Errorf("the session can't be stored: %w", err)
	}
	_, err = fmt.Fprintf(c.out, "%s is signed in at %s; checkout logout ends that\n", printable(s.Who), s.URL)
	return err
}

// checkPage refuses an address that is not that of a site alone.
func checkPage(page string) error {
	if err := checkAddress(page); err != nil {
		return err
	}
	if u, err := url.Parse(page); err != nil || u.Scheme+"://"+u.Host != page {
		return misusef("%q should be an address without a path", page)
	}
	return nil
}

// unguessable returns 256 random bits as a text.
func unguessable() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// codeOf shows the link for the browser, and waits for the code that it brings.
func (c *call) codeOf(ctx context.Context, l login, verifier, state string) (string, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("can't listen for the browser: %w", err)
	}
	codes := make(chan string, 1)
	server := &http.Server{Handler: receiver(state, codes), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	query := url.Values{
		"port":      {strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)},
		"challenge": {signin.Challenge(verifier)}, "state": {state},
	}
	link := l.page + "/#command?" + query.Encode()
	fmt.Fprintf(c.notes, "Open this in a browser of this machine, and sign in:\n\n  %s\n\n", link)
	if l.open != nil {
		file, remove, err := adminpage.LinkFile(link)
		if err != nil {
			return "", err
		}
		defer remove()
		go func() {
			if err := l.open(file); err != nil && ctx.Err() == nil {
				fmt.Fprintf(c.notes, "No browser could be opened (%v): open the link yourself.\n", err)
			}
		}()
	}
	select {
	case code := <-codes:
		return code, server.Shutdown(ctx) // after the browser has its response
	case <-ctx.Done():
		return "", errors.New("nobody has signed in")
	}
}

// receiver takes the code that the browser brings with a state, once.
func receiver(state string, codes chan<- string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		w.Header().Set("Referrer-Policy", "no-referrer")
		if r.Method != http.MethodGet || r.URL.Path != "/" ||
			subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(state)) != 1 || query.Get("code") == "" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		select {
		case codes <- query.Get("code"):
		default: // it has one
		}
		fmt.Fprint(w, "<!doctype html><title>Signed in</title><h1>Signed in</h1><p>Go back to the terminal, and close this.")
	})
}

// redeem exchanges a code for a session.
func redeem(ctx context.Context, page, code, verifier string) (session, error) {
	body, err := json.Marshal(map[string]string{"code": code, "verifier": verifier})
	if err != nil {
		return session{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, page+"/admin/login/token", strings.NewReader(string(body)))
	if err != nil {
		return session{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(r)
	if err != nil {
		return session{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, largest))
	if err != nil {
		return session{}, fmt.Errorf("read the response: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return session{}, refusalOf(response.StatusCode, response.Header, text)
	}
	s := session{}
	err = decode(text, &s)
	s.URL = page
	return s, err
}

// logout ends the session, and removes its file whatever comes of that.
func (c *call) logout(ctx context.Context) error {
	s, err := c.session()
	if err != nil {
		return err
	}
	if s == nil {
		return errors.New("nobody has signed in with checkout login")
	}
	err = (&bearer{session: *s, next: http.DefaultTransport}).end(ctx)
	if err := os.Remove(c.sessionFile()); err != nil {
		return err
	}
	if err != nil {
		return fmt.Errorf("the session is forgotten here, but ends by itself within 15 minutes: %w", err)
	}
	_, err = fmt.Fprintf(c.out, "%s is signed out\n", printable(s.Who))
	return err
}
