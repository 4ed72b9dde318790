package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// billOfMaterials lists the modules that are in binaries, and the packages of npm that are in the page, in CycloneDX's
// JSON. It names neither the time nor a serial number, so that it is the same for the same commit.
func billOfMaterials(ctx context.Context, version string, found modules) ([]byte, error) {
	checkout := component("checkout", version, "pkg:generic/checkout@"+version, "Apache-2.0")
	checkout.Type = cdx.ComponentTypeApplication
	names := slices.Sorted(maps.Keys(found))
	licences, err := licencesOf(ctx, names)
	if err != nil {
		return nil, err
	}
	var all []cdx.Component
	for _, name := range names {
		module, version, _ := strings.Cut(name, "@")
		all = append(all, component(module, version, "pkg:golang/"+name, licences[name]...))
	}
	lock, err := os.ReadFile("infra/page/package-lock.json")
	if err != nil {
		return nil, err
	}
	packages, err := packagesOf(lock)
	if err != nil {
		return nil, err
	}
	all = append(all, packages...)
	bill := cdx.NewBOM()
	bill.Metadata, bill.Components = &cdx.Metadata{Component: &checkout}, &all
	var text bytes.Buffer
	err = cdx.NewBOMEncoder(&text, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bill, cdx.SpecVersion1_6)
	return text.Bytes(), err
}

func component(name, version, url string, licences ...string) cdx.Component {
	var all cdx.Licenses
	for _, id := range licences {
		all = append(all, cdx.LicenseChoice{License: &cdx.License{ID: id}})
	}
	return cdx.Component{Type: cdx.ComponentTypeLibrary, BOMRef: url, Name: name, Version: version, PackageURL: url,
		Licenses: &all}
}

// packagesOf returns the packages of a package-lock.json that are no tools.
func packagesOf(lock []byte) (all []cdx.Component, err error) {
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
		c := component(name, p.Version,
			"pkg:npm/"+strings.Replace(name, "@", "%40", 1)+"@"+p.Version, p.License)
		digest, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(p.Integrity, "sha512-"))
		if err != nil {
			return nil, fmt.Errorf("package-lock.json: %s: %w", place, err)
		}
		c.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA512, Value: hex.EncodeToString(digest)}}
		all = append(all, c)
	}
	return all, nil
}
