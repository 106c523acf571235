package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// apis are the documents of the contract, by file name without extension.
func apis() []string { return []string{"main", "extract", "rag"} }

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "specprep:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return errors.New("usage: specprep publish|generator|operations SOURCE OUT")
	}
	command, source, out := args[0], args[1], args[2]
	docs := map[string]*document{}
	for _, api := range apis() {
		doc, err := load(source, api)
		if err != nil {
			return fmt.Errorf("%s: %w", api, err)
		}
		docs[api] = doc
	}
	if err := os.MkdirAll(out, 0o750); err != nil {
		return err
	}
	switch command {
	case "publish":
		return publishAll(docs, source, out)
	case "operations":
		return writeFacts(docs, out)
	case "generator":
		for _, api := range apis() {
			if err := docs[api].forGenerator(); err != nil {
				return fmt.Errorf("%s: %w", api, err)
			}
			if err := writeYAML(filepath.Join(out, api+".yaml"), docs[api].root); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("unknown command %q", command)
}
