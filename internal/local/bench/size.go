package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// sameLibraries are the programs in the folder same that are built with the libraries of a function and do nothing. A
// function that is not named here serves HTTP and sends messages.
var sameLibraries = map[string]string{
	"status": "status", "sweep": "sweep", "connector": "connector", "notify": "notify", "callback": "callback",
	"session": "session", "page": "page",
}

const otherLibraries = "operation"

// sizes compares each binary with a program of the same libraries that does nothing.
func (s *stage) sizes(ctx context.Context, w io.Writer) error {
	title(w, "Binaries", "MiB", "ratio to one of the same libraries that does nothing")
	bytes := func(binary string) (int64, error) {
		info, err := os.Stat(binary)
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	}
	for _, f := range s.service.Template().Functions {
		libraries, ok := sameLibraries[f.Name]
		if !ok {
			libraries = otherLibraries
		}
		same := filepath.Join(s.folder, "same-"+libraries)
		if _, err := os.Stat(same); err != nil {
			if err := build(ctx, s.options.Root, "./internal/local/bench/same/"+libraries, same); err != nil {
				return err
			}
		}
		size, err := bytes(filepath.Join(s.options.Root, "bin", "lambda", f.Name, "bootstrap"))
		if err != nil {
			return err
		}
		least, err := bytes(same)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", f.Name, decimal(size, 1<<20, 1), decimal(size, least, 3))
	}
	return nil
}
