package parsing_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/parse"
	"docqa/internal/ingest/parsing"
)

// TestParser_Parse_pdftotext reads a PDF by each kind of pdftotext that a machine may have.
func TestParser_Parse_pdftotext(t *testing.T) {
	t.Parallel()
	installed, err := exec.LookPath("pdftotext")
	require.NoError(t, err)
	tests := []struct {
		name  string
		place func(t *testing.T, folder string) string
	}{
		{"a link", func(t *testing.T, folder string) string {
			t.Helper()
			path := filepath.Join(folder, "pdftotext")
			require.NoError(t, os.Symlink(installed, path))
			return path
		}},
		{"a script", func(t *testing.T, folder string) string {
			t.Helper()
			return script(t, filepath.Join(folder, "pdftotext"), `exec `+installed+` "$@"`)
		}},
		{"a private copy", func(t *testing.T, folder string) string {
			t.Helper()
			tree := filepath.Join(folder, "poppler/usr")
			copyFile(t, program(t, installed), filepath.Join(tree, "bin/pdftotext"))
			for _, library := range libraries(t, program(t, installed)) {
				copyFile(t, library, filepath.Join(tree, "lib/some-linux-gnu", filepath.Base(library)))
			}
			// The script is only for use in a terminal. locate must not return it.
			return script(t, filepath.Join(folder, "bin/pdftotext"), "exit 9")
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newParser(t, parsing.Options{PDFToText: tt.place(t, t.TempDir())})
			got, _, err := read(t, p, parse.PDF, onDisk(t, pdfFile("It speaks.")))
			require.NoError(t, err)
			require.Equal(t, []string{"It speaks."}, got)
		})
	}
}

// program returns the private copy that the script of set-up runs.
func program(t *testing.T, path string) string {
	t.Helper()
	resolved, err := filepath.EvalSymlinks(path)
	require.NoError(t, err)
	if private := filepath.Join(filepath.Dir(resolved), "../poppler/usr/bin/pdftotext"); exists(private) {
		return private
	}
	return resolved
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// libraries returns poppler's libraries as the linker finds them.
func libraries(t *testing.T, path string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ldd", path).Output()
	require.NoError(t, err)
	var found []string
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) > 2 && strings.HasPrefix(f[0], "libpoppler") && exists(f[2]) {
			found = append(found, f[2])
		}
	}
	return found
}

func script(t *testing.T, path, line string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+line+"\n"), 0o755))
	return path
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
	require.NoError(t, os.WriteFile(to, data, 0o755))
}
