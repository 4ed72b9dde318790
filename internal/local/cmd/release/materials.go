package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// bill is a bill of materials in CycloneDX's JSON. It names neither the time nor a serial number, so that it is the
// same for the same commit.
type bill struct {
	Format      string      `json:"bomFormat"`
	SpecVersion string      `json:"specVersion"`
	Version     int         `json:"version"`
	Metadata    metadata    `json:"metadata"`
	Components  []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type     string    `json:"type"`
	Ref      string    `json:"bom-ref"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	Hashes   []hash    `json:"hashes,omitempty"`
	Licenses []licence `json:"licenses,omitempty"`
	URL      string    `json:"purl"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licence struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

// billOfMaterials lists the modules that are in binaries, and the packages of npm that are in the page.
func billOfMaterials(version string, found modules) (string, error) {
	b := bill{Format: "CycloneDX", SpecVersion: "1.5", Version: 1}
	b.Metadata.Component = component{Type: "application", Name: "checkout", Version: version}
	b.Metadata.Component.identify("pkg:generic/checkout@" + version)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		module, version, _ := strings.Cut(name, "@")
		c := component{Type: "library", Name: module, Version: version}
		c.identify("pkg:golang/" + name)
		b.Components = append(b.Components, c)
	}
	text, err := os.ReadFile("infra/page/package-lock.json")
	if err != nil {
		return "", err
	}
	packages, err := packagesOf(text)
	if err != nil {
		return "", err
	}
	b.Components = append(b.Components, packages...)
	text, err = json.MarshalIndent(b, "", "  ")
	return string(text) + "\n", err
}

func (c *component) identify(url string) { c.Ref, c.URL = url, url }

// packagesOf returns the packages of a package-lock.json that are no tools.
func packagesOf(lock []byte) (all []component, err error) {
	var list struct {
		Packages map[string]struct {
			Version, Integrity, License string
			Dev                         bool
		}
	}
	if err := json.Unmarshal(lock, &list); err != nil {
		return nil, fmt.Errorf("package-lock.json: %w", err)
	}
	for _, place := range slices.Sorted(maps.Keys(list.Packages)) {
		p := list.Packages[place]
		_, name, found := strings.Cut(place, "node_modules/")
		if !found || p.Dev {
			continue
		}
		c := component{Type: "library", Name: name, Version: p.Version}
		c.identify("pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version)
		digest, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(p.Integrity, "sha512-"))
		if err != nil {
			return nil, fmt.Errorf("package-lock.json: %s: %w", place, err)
		}
		c.Hashes = []hash{{"SHA-512", hex.EncodeToString(digest)}}
		if p.License != "" {
			c.Licenses = make([]licence, 1)
			c.Licenses[0].License.ID = p.License
		}
		all = append(all, c)
	}
	return all, nil
}
