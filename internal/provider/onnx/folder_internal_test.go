package onnx

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const vocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n"

func TestReadFolder_refuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		says  string
	}{
		"empty":        {nil, "make model installs them"},
		"no weights":   {map[string]string{"config.json": "{}", "vocab.txt": vocab}, "make model installs them"},
		"no vocab":     {map[string]string{"config.json": "{}", "model.onnx": "x"}, "make model installs them"},
		"broken":       {map[string]string{"config.json": "{", "vocab.txt": vocab, "model.onnx": "x"}, "config.json"},
		"other vocab":  {map[string]string{"config.json": `{"vocab_size":3}`, "vocab.txt": vocab, "model.onnx": "x"}, "5 tokens, the model knows 3"},
		"no BERT's":    {map[string]string{"config.json": "{}", "vocab.txt": "a\n", "model.onnx": "x"}, "no token [UNK]"},
		"no such file": {map[string]string{"config.json": "[]"}, "config.json"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range c.files {
				require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
			}
			_, err := ReadFolder(dir)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestFolderConfig_tokens(t *testing.T) {
	t.Parallel()
	require.Equal(t, 256, folderConfig{}.tokens())
	require.Equal(t, 128, folderConfig{MaxTokens: 512, Positions: 128}.tokens())
}
