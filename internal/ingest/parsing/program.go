package parsing

import (
	"bytes"
	"os"
	"path/filepath"
)

// program is pdftotext and what it needs besides the system's libraries.
type program struct {
	path      string
	libraries string   // folder of its own libraries; "" = the system's
	reads     []string // files and folders
}

// locate finds out what the program at path needs. Set-up installs a script that runs a private
// copy of the program; locate returns the copy itself.
func locate(path string) program {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return program{path: path, reads: []string{path}}
	}
	tree := filepath.Join(filepath.Dir(filepath.Dir(resolved)), "poppler")
	private := filepath.Join(tree, "usr/bin", filepath.Base(resolved))
	if libraries, _ := filepath.Glob(filepath.Join(tree, "usr/lib/*-linux-*")); len(libraries) > 0 && isFile(private) {
		return program{path: private, libraries: libraries[0], reads: []string{tree}}
	}
	if isScript(resolved) {
		return program{path: path, reads: []string{path, "/bin", "/usr/bin"}}
	}
	return program{path: path, reads: []string{path}}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isScript(path string) bool {
	f, err := os.Open(path) //nolint:gosec // the path is the operator's
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 2)
	n, _ := f.Read(head)
	return bytes.Equal(head[:n], []byte("#!"))
}
