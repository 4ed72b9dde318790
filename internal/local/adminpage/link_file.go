package adminpage

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// linkPage leads to the page. It takes the link twice, whose letters mean nothing in HTML and in JavaScript.
const linkPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Admin page</title>
<p><a href="%[1]s">Open the admin page</a></p><script>location.replace("%[1]s")</script></html>
`

// LinkFile is LinkFile of the link to open.
func (s *Server) LinkFile() (path string, remove func(), err error) { return LinkFile(s.Link()) }

// LinkFile writes a file that leads a browser to a page, and returns its path and what removes it. Only this user may
// read the file, while everybody on a machine may read the arguments of the program that opens it.
func LinkFile(link string) (path string, remove func(), err error) {
	folder, err := os.MkdirTemp("", "checkout-admin-") // for this user alone
	if err != nil {
		return "", nil, fmt.Errorf("make a folder for the link: %w", err)
	}
	path = filepath.Join(folder, "open.html")
	if err := os.WriteFile(path, fmt.Appendf(nil, linkPage, link), 0o600); err != nil {
		return "", nil, errors.Join(fmt.Errorf("write the link: %w", err), os.RemoveAll(folder))
	}
	return path, func() { _ = os.RemoveAll(folder) }, nil // its code is worth nothing without this process
}
