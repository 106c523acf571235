package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/models"
)

func TestParseEmbedding(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]models.Embedding{
		"":                                {},
		"none":                            {},
		"local:.data/models/m":            {Kind: models.LocalEmbedding, Folder: ".data/models/m"},
		"openai:https://api.example#m-1":  {Kind: models.OpenAIEmbedding, URL: "https://api.example/v1/embeddings", Model: "m-1"},
		"openai:http://h:1/v1/#org/m":     {Kind: models.OpenAIEmbedding, URL: "http://h:1/v1/embeddings", Model: "org/m"},
		"openai:http://h/x/embeddings#m2": {Kind: models.OpenAIEmbedding, URL: "http://h/x/embeddings", Model: "m2"},
		"bedrock:eu-central-1#amazon.titan-embed-text-v2:0": {
			Kind: models.BedrockEmbedding, Region: "eu-central-1", Model: "amazon.titan-embed-text-v2:0",
		},
		"bedrock:us-gov-west-1#cohere.embed-english-v3": {Kind: models.BedrockEmbedding, Region: "us-gov-west-1", Model: "cohere.embed-english-v3"},
	} {
		got, err := models.ParseEmbedding(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
		again, err := models.ParseEmbedding(got.String())
		require.NoError(t, err, text)
		require.Equal(t, got, again, text)
	}
}

func TestParseEmbedding_refuses(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"yes":                                   "must be none",
		"None":                                  "must be none",
		"local:":                                "needs a folder",
		"local: ":                               "needs a folder",
		"openai:":                               "needs an address",
		"openai:api.example#m":                  "needs an address",
		"openai:ftp://h#m":                      "needs an address",
		"openai:http://h":                       "needs the model's name",
		"openai:http://u:p@h#m":                 "no user",
		"openai:http://h/v1?key=1#m":            "no query",
		"openai:http://[::1#m":                  "needs an address",
		"openai:https:///embedding#m":           "needs an address",
		"bedrock:amazon.titan-embed":            "needs a region",
		"bedrock:eu-central-1":                  "must be a Titan or Cohere",
		"bedrock:eu-central-1#amazon.nova-lite": "must be a Titan or Cohere",
		"bedrock:x.example/#amazon.titan-embed-text": "needs a region",
	} {
		_, err := models.ParseEmbedding(text)
		require.ErrorContains(t, err, says, text)
	}
}

func TestParseEmbeddings(t *testing.T) {
	t.Parallel()
	list, err := models.ParseEmbeddings("local:a, openai:http://h#m")
	require.NoError(t, err)
	require.Equal(t, []string{"local:a", "openai:http://h/v1/embeddings#m"}, []string{list[0].String(), list[1].String()})
	for _, text := range []string{"", "none"} {
		list, err = models.ParseEmbeddings(text)
		require.NoError(t, err)
		require.Empty(t, list)
	}
	for text, says := range map[string]string{
		"local:a,none": "none stands alone", "local:a,local:a": "names local:a twice", "local:a,": "none stands alone", "local:a,x": "must be none",
	} {
		_, err := models.ParseEmbeddings(text)
		require.ErrorContains(t, err, says, text)
	}
}
