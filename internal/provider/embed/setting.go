package embed

import (
	"errors"
	"net/url"
	"strings"
)

// Kind is where vectors come from.
type Kind int

// The kinds of embeddings.
const (
	None   Kind = iota // keyword search alone
	Local              // a model in this process
	OpenAI             // a server that speaks OpenAI's protocol
)

// Setting is the setting EMBEDDINGS.
type Setting struct {
	Kind   Kind
	Folder string // of Local
	URL    string // of OpenAI: the endpoint that takes the texts
	Model  string // of OpenAI
}

// Parse reads `none`, `local:<folder>` or `openai:<url>#<model>`. An empty text is none.
// A URL without a path gets /v1/embeddings, one with a path gets /embeddings after it.
func Parse(text string) (Setting, error) {
	kind, rest, _ := strings.Cut(text, ":")
	switch {
	case text == "" || text == "none":
		return Setting{}, nil
	case kind == "local":
		if strings.TrimSpace(rest) == "" {
			return Setting{}, errors.New("local: needs a folder, such as local:.data/models/all-MiniLM-L6-v2")
		}
		return Setting{Kind: Local, Folder: rest}, nil
	case kind == "openai":
		return parseServer(rest)
	}
	return Setting{}, errors.New("must be none, local:<folder> or openai:<url>#<model>")
}

func parseServer(text string) (Setting, error) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return Setting{}, errors.New("openai: needs an address, such as openai:http://localhost:11434#nomic-embed-text")
	}
	if u.User != nil || u.RawQuery != "" {
		return Setting{}, errors.New("openai: the address must have no user and no query")
	}
	if u.Fragment == "" {
		return Setting{}, errors.New("openai: needs the model's name after #")
	}
	model := u.Fragment
	u.Fragment, u.RawFragment = "", ""
	path := strings.TrimRight(u.Path, "/")
	switch {
	case path == "":
		u.Path = "/v1/embeddings"
	case !strings.HasSuffix(path, "/embeddings"):
		u.Path = path + "/embeddings"
	}
	return Setting{Kind: OpenAI, URL: u.String(), Model: model}, nil
}

// String is the setting as it is written.
func (s Setting) String() string {
	switch s.Kind {
	case Local:
		return "local:" + s.Folder
	case OpenAI:
		return "openai:" + s.URL + "#" + s.Model
	case None:
	}
	return "none"
}
