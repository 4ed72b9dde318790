package tidy

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"testing"
)

// The files of a package have an order: nouns, rules over nouns, operations. A file uses those before it, and at most
// one use in twenty runs the other way, or a single one.
func TestFilesHaveAnOrder(t *testing.T) {
	exports, dirs := ExportData(t, root), map[string]bool{}
	for _, s := range sources(t) {
		if isIn(s.dir, "internal") {
			dirs[s.dir] = true
		}
	}
	for dir := range dirs {
		up, all, order := upward(fileUses(Check(t, root, dir, exports)))
		if len(up) > 1 && len(up)*20 > all {
			t.Errorf("%s: %d of %d uses run up in the order %v: %v", dir, len(up), all, order, up)
		}
	}
}

// upward returns the uses of the files of a package that run up in their best order, and how many uses there are.
func upward(uses map[string]map[string]bool) (up []string, all int, order []string) {
	order = orderOf(uses)
	for file, others := range uses {
		for other := range others {
			all++
			if slices.Index(order, file) < slices.Index(order, other) {
				up = append(up, file+" of "+other)
			}
		}
	}
	return up, all, order
}

// fileUses returns for each file of a package the other files whose names it uses.
func fileUses(p Checked) map[string]map[string]bool {
	uses := map[string]map[string]bool{}
	for _, file := range p.Files {
		uses[filepath.Base(p.Fset.Position(file.Pos()).Filename)] = map[string]bool{}
	}
	for name, object := range p.Info.Uses {
		if object.Pkg() != p.Types {
			continue
		}
		file := filepath.Base(p.Fset.Position(name.Pos()).Filename)
		if other := filepath.Base(p.Fset.Position(object.Pos()).Filename); other != file {
			uses[file][other] = true
		}
	}
	return uses
}

// orderOf returns files in an order in which few uses run up: first each file that uses none of those left, last each
// that none of those left uses, and of files that use each other the one first that is used the most.
func orderOf(uses map[string]map[string]bool) []string {
	left := slices.Sorted(maps.Keys(uses))
	var first, last []string
	for len(left) > 0 {
		count := func(file string) (using, used int) {
			for _, other := range left {
				if uses[file][other] {
					using++
				}
				if uses[other][file] {
					used++
				}
			}
			return using, used
		}
		next := slices.MinFunc(left, func(a, b string) int {
			aUsing, aUsed := count(a)
			bUsing, bUsed := count(b)
			return cmp.Or(cmp.Compare(min(1, aUsing)*min(1, aUsed), min(1, bUsing)*min(1, bUsed)),
				cmp.Compare(aUsing-aUsed, bUsing-bUsed))
		})
		left = slices.DeleteFunc(left, func(file string) bool { return file == next })
		if using, used := count(next); used == 0 && using > 0 {
			last = append(last, next)
		} else {
			first = append(first, next)
		}
	}
	slices.Reverse(last)
	return append(first, last...)
}

func TestOrderOf(t *testing.T) {
	uses := map[string]map[string]bool{
		"operation": {"rule": true, "noun": true, "service": true}, "noun": {}, "rule": {"noun": true, "service": true},
		"service": {"rule": true, "noun": true}, "other": {"operation": true},
	}
	if got := orderOf(uses); !slices.Equal(got, []string{"noun", "rule", "service", "operation", "other"}) &&
		!slices.Equal(got, []string{"noun", "service", "rule", "operation", "other"}) {
		t.Errorf("order %v", got)
	}
}
