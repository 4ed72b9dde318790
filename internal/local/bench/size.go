package bench

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// sizes compares each binary with that of a function that makes one DynamoDB call, which has what all of them need.
func (s *stage) sizes(w io.Writer) error {
	title(w, "Binaries", "MiB", "ratio to one with a DynamoDB call")
	least, err := os.Stat(filepath.Join(s.folder, "read", "bootstrap"))
	if err != nil {
		return err
	}
	for _, f := range s.service.Template().Functions {
		binary, err := os.Stat(filepath.Join(s.options.Root, "bin", "lambda", f.Name, "bootstrap"))
		if err != nil {
			return err
		}
		size := binary.Size()
		fmt.Fprintf(w, "%s\t%s\t%s\n", f.Name, decimal(size, 1<<20, 1), decimal(size, least.Size(), 3))
	}
	return nil
}
