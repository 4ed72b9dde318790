// Package connector says what the service's connectors can do. Each family of providers has a folder beside this
// file: list has the list of all families, provider what they have in common, and conformance the tests that each of
// them passes.
package connector

import (
	"embed"
	"fmt"
	"io/fs"
	"path"

	"checkout/internal/settings"
)

// declared are the declarations of all families. They are files, so that a function that sends no provider requests is
// built without the connectors.
//
//go:embed */declaration.json
var declared embed.FS

// Declarations returns those of all connectors. The name of a connector is that of its folder.
func Declarations() settings.Declarations {
	names, err := fs.Glob(declared, "*/declaration.json")
	if err != nil {
		panic("find declarations: " + err.Error()) // only for a bad pattern
	}
	all := settings.Declarations{}
	for _, name := range names {
		d, err := read(name)
		if err != nil {
			panic("read declaration: " + err.Error()) // a test reads every declaration
		}
		all[path.Dir(name)] = d
	}
	return all
}

func read(name string) (d settings.Declaration, err error) {
	text, err := declared.ReadFile(name)
	if err != nil {
		return d, err
	}
	if d, err = settings.ReadDeclaration(text); err != nil {
		return d, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}
