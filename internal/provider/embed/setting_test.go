package embed_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/provider/embed"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]embed.Setting{
		"":                                {},
		"none":                            {},
		"local:.data/models/m":            {Kind: embed.Local, Folder: ".data/models/m"},
		"openai:https://api.example#m-1":  {Kind: embed.OpenAI, URL: "https://api.example/v1/embeddings", Model: "m-1"},
		"openai:http://h:1/v1/#org/m":     {Kind: embed.OpenAI, URL: "http://h:1/v1/embeddings", Model: "org/m"},
		"openai:http://h/x/embeddings#m2": {Kind: embed.OpenAI, URL: "http://h/x/embeddings", Model: "m2"},
	} {
		got, err := embed.Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
		again, err := embed.Parse(got.String())
		require.NoError(t, err, text)
		require.Equal(t, got, again, text)
	}
}

func TestParse_refuses(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"yes":                         "must be none",
		"None":                        "must be none",
		"local:":                      "needs a folder",
		"local: ":                     "needs a folder",
		"openai:":                     "needs an address",
		"openai:api.example#m":        "needs an address",
		"openai:ftp://h#m":            "needs an address",
		"openai:http://h":             "needs the model's name",
		"openai:http://u:p@h#m":       "no user",
		"openai:http://h/v1?key=1#m":  "no query",
		"openai:http://[::1#m":        "needs an address",
		"bedrock:amazon.titan-embed":  "must be none",
		"openai:https:///embedding#m": "needs an address",
	} {
		_, err := embed.Parse(text)
		require.ErrorContains(t, err, says, text)
	}
}
