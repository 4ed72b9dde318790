package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// made is the time of every file in archives, the first that a zip can have: they do not tell when they were made.
var made = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

// sums is the file of all checksums.
const sums = "SHA256SUMS"

// zipFolder writes an archive of a folder's files, below another folder's name, "" for none.
func zipFolder(folder, below, archive string) (err error) {
	file, err := os.Create(archive)
	if err != nil {
		return err
	}
	w := zip.NewWriter(file)
	defer func() { err = errors.Join(err, w.Close(), file.Close()) }()
	return eachFile(folder, func(name string, info fs.FileInfo) error {
		header := &zip.FileHeader{Name: path.Join(below, name), Method: zip.Deflate, Modified: made}
		header.SetMode(modeOf(info))
		entry, err := w.CreateHeader(header)
		if err != nil {
			return err
		}
		return copyInto(entry, filepath.Join(folder, name))
	})
}

// modeOf is the mode of a file in archives, whatever rights its user has given it.
func modeOf(info fs.FileInfo) fs.FileMode {
	if info.Mode()&0o111 != 0 {
		return 0o755
	}
	return 0o644
}

func copyInto(w io.Writer, file string) error {
	content, err := os.Open(file)
	if err != nil {
		return err
	}
	defer content.Close()
	_, err = io.Copy(w, content)
	return err
}

// eachFile calls a function with each file of a folder, in the order of their names, which are slash-separated.
func eachFile(folder string, do func(name string, info fs.FileInfo) error) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		return do(filepath.ToSlash(name), info)
	})
}

// writeSums writes the checksums of all files, as sha256sum --check reads them.
func writeSums(folder string) error {
	var lines strings.Builder
	err := eachFile(folder, func(name string, _ fs.FileInfo) error {
		text, err := os.ReadFile(filepath.Join(folder, name))
		fmt.Fprintf(&lines, "%x  %s\n", sha256.Sum256(text), name)
		return err
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, sums), []byte(lines.String()), 0o644)
}

// archive writes a folder's files into FOLDER.tar.gz, below the folder's name.
func archive(folder string) (err error) {
	file, err := os.Create(folder + ".tar.gz")
	if err != nil {
		return err
	}
	packed := gzip.NewWriter(file)
	w := tar.NewWriter(packed)
	defer func() { err = errors.Join(err, w.Close(), packed.Close(), file.Close()) }()
	return eachFile(folder, func(name string, info fs.FileInfo) error {
		header := &tar.Header{Name: filepath.Base(folder) + "/" + name, Mode: int64(modeOf(info)), Size: info.Size(),
			ModTime: made, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(header); err != nil {
			return err
		}
		return copyInto(w, filepath.Join(folder, name))
	})
}
