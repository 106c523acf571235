// Package questions holds the questions on manuals that were written by hand, a file for each set.
package questions

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"docqa/eval/manuals"
)

//go:embed *.jsonl
var files embed.FS

// All returns the questions of each set.
func All() (map[string][]manuals.Question, error) {
	names, err := fs.Glob(files, "*.jsonl")
	if err != nil {
		return nil, err
	}
	sets := map[string][]manuals.Question{}
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		set := strings.TrimSuffix(name, path.Ext(name))
		for n, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
			var q manuals.Question
			if err := json.Unmarshal(line, &q); err != nil {
				return nil, fmt.Errorf("%s line %d: %w", name, n+1, err)
			}
			sets[set] = append(sets[set], q)
		}
	}
	return sets, nil
}
