package guard

// Release is what was built and uploaded, as infra/page/build.mjs lists it.
type Release struct {
	Version string `json:"version"` // of the code of the page
	Page    Built  `json:"page"`
	Frame   Built  `json:"frame"` // of Google Pay
}

func (r Release) page() Built  { return r.Page }
func (r Release) frame() Built { return r.Frame }

// Built are the files of one site.
type Built struct {
	Index   Index  `json:"index"`
	Pages   []File `json:"pages"` // de.html and others: index.html with the texts of a language
	Scripts []File `json:"scripts"`
	Styles  []File `json:"styles"`
}

// page is the page in a language, index.html if there is none or the language is "".
func (b Built) page(language string) File {
	for _, page := range b.Pages {
		if page.Name == language+".html" {
			return page
		}
	}
	return b.Index.File
}

// Index is the index.html of a site.
type Index struct {
	File
	Loads []string `json:"loads"` // the names of the scripts and style sheets in it
}

// File is a file of a site.
type File struct {
	Name      string `json:"name"` // below the site's address, without a slash before it
	Bytes     int64  `json:"bytes"`
	Integrity string `json:"integrity"` // "sha384-" and the hash in base64, as in HTML
}
