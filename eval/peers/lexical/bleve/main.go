// Command bleve searches with bleve for the questions of bench. eval/peers/README.md describes the protocol.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/en"
)

const (
	results = 10
	batch   = 1000
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "bleve:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	index, err := build(folder)
	if err != nil {
		return err
	}
	defer index.Close()
	questions, err := rows(filepath.Join(folder, "queries.tsv"), 2)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	in := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		n, err := strconv.Atoi(strings.TrimSpace(in.Text()))
		if err != nil {
			return err
		}
		began := time.Now()
		query := bleve.NewMatchQuery(questions[n][1])
		query.SetField("text")
		found, err := index.Search(bleve.NewSearchRequestOptions(query, results, 0, false))
		if err != nil {
			return err
		}
		ids := []string{}
		for _, hit := range found.Hits {
			ids = append(ids, hit.ID)
		}
		answer := map[string]any{"ms": float64(time.Since(began).Nanoseconds()) / 1e6, "ids": ids}
		if err := out.Encode(answer); err != nil {
			return err
		}
	}
	return in.Err()
}

func build(folder string) (bleve.Index, error) {
	chunks, err := rows(filepath.Join(folder, "chunks.tsv"), 3)
	if err != nil {
		return nil, err
	}
	mapping := bleve.NewIndexMapping()
	mapping.DefaultAnalyzer = "en"
	mapping.ScoringModel = "bm25"
	index, err := bleve.New(filepath.Join(folder, "bleve"), mapping)
	if err != nil {
		return nil, err
	}
	b := index.NewBatch()
	for i, c := range chunks {
		if err := b.Index(c[0], map[string]any{"text": c[2]}); err != nil {
			return nil, err
		}
		if b.Size() == batch || i == len(chunks)-1 {
			if err := index.Batch(b); err != nil {
				return nil, err
			}
			b.Reset()
		}
	}
	return index, nil
}

// rows reads a file whose lines are cells separated by tabs.
func rows(path string, cells int) ([][]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var list [][]string
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		list = append(list, strings.SplitN(scanner.Text(), "\t", cells))
	}
	return list, scanner.Err()
}
