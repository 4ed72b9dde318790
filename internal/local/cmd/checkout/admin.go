package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"checkout/internal/local/adminpage"
)

func adminCommand(c *call) *cobra.Command {
	o := adminOptions{}
	var noOpen bool
	cmd := c.command(leaf{
		use: "admin", does: "open the admin page in a browser of this machine, with your AWS credentials, until Ctrl-C",
		example: "admin --port 4100 --no-open",
		run: func(ctx context.Context, _ []string) error {
			api, err := c.api(ctx)
			if err != nil {
				return err
			}
			program, err := os.Executable()
			if err != nil {
				return err
			}
			if o.page == "" {
				o.page = adminFolder(program)
			}
			o.out = c.out
			if c.tables && !noOpen {
				o.open = openBrowser
			}
			return serveAdmin(ctx, api, o)
		},
	})
	c.address(cmd)
	cmd.Flags().IntVar(&o.port, "port", 0, "`PORT` of the page, on 127.0.0.1; 0: any free one")
	cmd.Flags().StringVar(&o.page, "page", "", "`FOLDER` of the built page (else that of this command's repository)")
	cmd.Flags().BoolVar(&noOpen, "no-open", false, "only print the link")
	return cmd
}

// adminOptions say how the admin page is served.
type adminOptions struct {
	port int                     // 0: any free one
	page string                  // folder of the built page
	open func(file string) error // opens a file that leads to the page; nil: the link is only printed
	out  io.Writer
}

// serveAdmin prints the link of the admin page, opens it, and serves the page until ctx ends. Its errors say what is
// missing: the page, a free port, credentials, a role.
func serveAdmin(ctx context.Context, api *client, o adminOptions) error {
	var me struct {
		Who string `json:"who"`
	}
	if err := api.read(ctx, "/me", nil, &me); err != nil {
		return err
	}
	base, err := url.Parse(api.base)
	if err != nil {
		return err
	}
	server, err := adminpage.Start(ctx, adminpage.Config{Page: o.page, Base: base, API: api.http.Transport, Port: o.port,
		Now: time.Now, Renewed: func(why, link string) { fmt.Fprintf(o.out, "%s A new link:\n\n  %s\n", why, link) }})
	if err != nil {
		return err
	}
	defer server.Stop()
	fmt.Fprintf(o.out, "The admin page of %s for %s, until Ctrl-C. The link opens it in one browser:\n\n  %s\n",
		base.Host, printable(me.Who), server.Link())
	if o.open != nil {
		file, remove, err := server.LinkFile()
		if err != nil {
			return err
		}
		defer remove()
		go func() { // which may take as long as the browser runs
			if err := o.open(file); err != nil && ctx.Err() == nil {
				fmt.Fprintf(o.out, "\nNo browser could be opened (%v): open the link yourself.\n", err)
			}
		}()
	}
	<-ctx.Done()
	return nil
}

// adminFolder returns the folder of the built page: that of the repository whose bin has this program, or else that of
// the repository in which it is run.
func adminFolder(program string) string {
	built := filepath.Join("infra", "page", "dist-admin")
	if program, err := filepath.EvalSymlinks(program); err == nil {
		root := filepath.Join(filepath.Dir(program), "..")
		if _, err := os.Stat(filepath.Join(root, "template.yaml")); err == nil {
			return filepath.Join(root, built)
		}
	}
	return built
}

// openBrowser opens a file in the person's browser.
func openBrowser(file string) error {
	program, args := "xdg-open", []string{file}
	switch runtime.GOOS {
	case "darwin":
		program = "open"
	case "windows":
		program, args = "rundll32", []string{"url.dll,FileProtocolHandler", file}
	}
	return exec.Command(program, args...).Run()
}
