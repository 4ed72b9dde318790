package faults

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"checkout/internal/local/story"
)

var update = flag.Bool("update", false, "write the seeds of the planted bugs again")

// plantedSeeds has the seed of a world for each planted bug: of those that have found it, one in which little happens.
const plantedSeeds = "testdata/planted_bugs.txt"

// enough is how many seeds are tried for a planted bug, which are about 1,000 orders.
const enough = 430

// worldsPerBug is how many worlds a planted bug may take on average: with seeds of this service it is one. Changes of
// the service let other things happen in the same world.
const worldsPerBug = 5

// Every planted bug is found by the runs. Its stored seed is tried first.
func TestFaultRunsFindPlantedBugs(t *testing.T) {
	if story.RaceDetector {
		t.Skip("the runs have no race, and take too long here")
	}
	stored := readSeeds(t)
	find := findsWith(stored)
	if *update {
		find = findsSmall
	}
	var mu sync.Mutex
	worlds, seeds := 0, maps.Clone(stored)
	t.Run("all", func(t *testing.T) {
		for _, bug := range plantedBugs {
			t.Run(bug.name, func(t *testing.T) {
				t.Parallel()
				seed, tried := find(t, bug)
				mu.Lock()
				defer mu.Unlock()
				seeds[bug.name] = seed
				worlds += tried
			})
		}
	})
	t.Logf("%d worlds for %d bugs", worlds, len(plantedBugs))
	switch {
	case *update:
		writeSeeds(t, seeds)
	case worlds > worldsPerBug*len(plantedBugs):
		t.Errorf("the seeds of %s do not find the bugs any more: have them written again, by -run %s -update",
			plantedSeeds, t.Name())
	}
}

// findsWith returns a function that finds a bug by its seed, or by the next one that does.
func findsWith(seeds map[string]uint64) func(*testing.T, plantedBug) (uint64, int) {
	return func(t *testing.T, bug plantedBug) (uint64, int) {
		for tried := range enough {
			seed := (max(seeds[bug.name], 1)+uint64(tried)-1)%enough + 1
			if failure, found := bug.isFound(runFaults(t, seed, bug)); found {
				t.Logf("found by seed %d: %s", seed, failure)
				return seed, tried + 1
			}
		}
		t.Errorf("%d seeds have not found it", enough)
		return 1, enough
	}
}

// findsSmall finds a bug by the world in which least happens, of the first three that find it.
func findsSmall(t *testing.T, bug plantedBug) (best uint64, tried int) {
	least := 0
	for finds := 0; tried < enough && finds < 3; {
		tried++
		end := runFaults(t, uint64(tried), bug)
		if _, found := bug.isFound(end); !found {
			continue
		}
		if finds++; least == 0 || end.writes < least {
			best, least = uint64(tried), end.writes
		}
	}
	if best == 0 {
		t.Errorf("%d seeds have not found it", enough)
	}
	return best, tried
}

// isFound returns what is wrong by the bug at the end of a run.
func (b plantedBug) isFound(end faultEnd) (failure string, found bool) {
	for _, failure := range end.failures {
		if strings.Contains(failure, b.found) {
			return failure, true
		}
	}
	return "", false
}

func readSeeds(t *testing.T) map[string]uint64 {
	text, err := os.ReadFile(plantedSeeds)
	if err != nil && !*update {
		t.Fatal(err)
	}
	seeds := map[string]uint64{}
	for line := range strings.Lines(string(text)) {
		seed, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if seeds[name], err = strconv.ParseUint(seed, 10, 64); err != nil {
			t.Fatalf("%s: %v", plantedSeeds, err)
		}
	}
	return seeds
}

func writeSeeds(t *testing.T, seeds map[string]uint64) {
	var text strings.Builder
	for _, bug := range plantedBugs {
		fmt.Fprintln(&text, seeds[bug.name], bug.name)
	}
	if err := os.WriteFile(plantedSeeds, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
