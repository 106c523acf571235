package models

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// EmbeddingKind says where vectors come from.
type EmbeddingKind int

// The kinds of embeddings.
const (
	NoEmbedding      EmbeddingKind = iota // keyword search alone
	LocalEmbedding                        // a model in this process
	OpenAIEmbedding                       // a server that speaks OpenAI's protocol
	BedrockEmbedding                      // a Titan or Cohere model of Amazon Bedrock
)

// Embedding is one model of the setting EMBEDDINGS.
type Embedding struct {
	Kind   EmbeddingKind
	Folder string // of a local model
	URL    string // of a server: the endpoint to which the texts are sent
	Region string // of Bedrock
	Model  string // the name of the model at the server or at Bedrock
}

// ParseEmbeddings reads a list of models that are separated by commas, the default first. An
// empty text and `none` mean no models.
func ParseEmbeddings(text string) ([]Embedding, error) {
	var list []Embedding
	parts := strings.Split(text, ",")
	for _, part := range parts {
		e, err := ParseEmbedding(strings.TrimSpace(part))
		switch {
		case err != nil:
			return nil, err
		case e.Kind == NoEmbedding && len(parts) > 1:
			return nil, errors.New("none stands alone")
		case slices.Contains(list, e):
			return nil, fmt.Errorf("names %s twice", e)
		case e.Kind != NoEmbedding:
			list = append(list, e)
		}
	}
	return list, nil
}

// ParseEmbedding reads `none`, `local:<folder>`, `openai:<url>#<model>` or
// `bedrock:<region>#<model id>`. An empty text means none. If the URL has no path,
// /v1/embeddings is appended, otherwise /embeddings.
func ParseEmbedding(text string) (Embedding, error) {
	kind, rest, _ := strings.Cut(text, ":")
	switch {
	case text == "" || text == "none":
		return Embedding{}, nil
	case kind == "local":
		if strings.TrimSpace(rest) == "" {
			return Embedding{}, errors.New("local: needs a folder, such as local:.data/models/all-MiniLM-L6-v2")
		}
		return Embedding{Kind: LocalEmbedding, Folder: rest}, nil
	case kind == "openai":
		return parseServer(rest)
	case kind == "bedrock":
		return parseBedrock(rest)
	}
	return Embedding{}, errors.New("must be none or a list of local:<folder>, openai:<url>#<model> and bedrock:<region>#<model>")
}

func parseServer(text string) (Embedding, error) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return Embedding{}, errors.New("openai: needs an address, such as openai:http://localhost:11434#nomic-embed-text")
	}
	if u.User != nil || u.RawQuery != "" {
		return Embedding{}, errors.New("openai: the address must have no user and no query")
	}
	if u.Fragment == "" {
		return Embedding{}, errors.New("openai: needs the model's name after #")
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
	return Embedding{Kind: OpenAIEmbedding, URL: u.String(), Model: model}, nil
}

func parseBedrock(text string) (Embedding, error) {
	region, model, _ := strings.Cut(text, "#")
	if !regexp.MustCompile(`^[a-z]{2}(-[a-z]+)+-[0-9]$`).MatchString(region) {
		return Embedding{}, errors.New("bedrock: needs a region, such as bedrock:eu-central-1#amazon.titan-embed-text-v2:0")
	}
	e := Embedding{Kind: BedrockEmbedding, Region: region, Model: model}
	if !e.Titan() && !e.Cohere() {
		return Embedding{}, errors.New("bedrock: the model after # must be a Titan or Cohere model for text, such as amazon.titan-embed-text-v2:0 or cohere.embed-multilingual-v3")
	}
	return e, nil
}

// Titan tells whether a model of Bedrock is Amazon's.
func (e Embedding) Titan() bool { return strings.Contains(e.Model, "amazon.titan-embed-text") }

// Cohere tells whether a model of Bedrock is Cohere's.
func (e Embedding) Cohere() bool { return strings.Contains(e.Model, "cohere.embed") }

// String is the model as the setting names it.
func (e Embedding) String() string {
	switch e.Kind {
	case LocalEmbedding:
		return "local:" + e.Folder
	case OpenAIEmbedding:
		return "openai:" + e.URL + "#" + e.Model
	case BedrockEmbedding:
		return "bedrock:" + e.Region + "#" + e.Model
	case NoEmbedding:
	}
	return "none"
}
