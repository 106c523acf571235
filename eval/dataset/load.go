package dataset

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docqa/eval/manuals"
)

// chunkStartsSet is a set whose questions name the page on which a chunk of its source starts. The answer may be on the next page.
const chunkStartsSet = "northwind"

type passageLine struct {
	ParagraphID string `json:"paragraphId"`
	Filename    string `json:"filename"`
	Language    string `json:"lang"`
	Text        string `json:"text"`
}

type documentLine struct {
	Filename string `json:"filename"`
	Text     string `json:"text"`
}

type turnLine struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

type questionLine struct {
	ID                string     `json:"id"`
	Question          string     `json:"question"`
	History           []turnLine `json:"history"`
	Answers           []string   `json:"answers"`
	AllAnswers        bool       `json:"allAnswersRequired"`
	Answerable        *bool      `json:"answerable"`
	Language          string     `json:"lang"`
	Kind              string     `json:"kind"`
	Filename          string     `json:"filename"`
	Filenames         []string   `json:"filenames"`
	RelevantFilenames []string   `json:"relevantFilenames"`
	ParagraphID       string     `json:"paragraphId"`
	ParagraphIDs      []string   `json:"paragraphIds"`
	PageNumbers       []int      `json:"pageNumbers"`
}

// Names lists the sets in dir, or in its folder qa if there is one.
func Names(dir string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(folderOfSets(dir), "*", "questions.jsonl"))
	if err != nil {
		return nil, err
	}
	names := make([]string, len(found))
	for i, path := range found {
		names[i] = filepath.Base(filepath.Dir(path))
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s holds no set: a set is a folder with a file questions.jsonl", dir)
	}
	return names, nil
}

func folderOfSets(dir string) string {
	if below := filepath.Join(dir, "qa"); isFolder(below) {
		return below
	}
	return dir
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Load reads the set called name in dir. A set in several languages becomes one Set for each of them.
func Load(dir, name string) ([]*Set, error) {
	folder := filepath.Join(folderOfSets(dir), name)
	var questions []questionLine
	if err := readLines(filepath.Join(folder, "questions.jsonl"), &questions); err != nil {
		return nil, err
	}
	manual, err := readManualQuestions(folder, questions)
	if err != nil {
		return nil, err
	}
	var passages []passageLine
	if err := readOptional(filepath.Join(folder, "paragraphs.jsonl"), &passages); err != nil {
		return nil, err
	}
	files, err := readDocuments(folder)
	if err != nil {
		return nil, err
	}
	var sets []*Set
	for _, language := range languages(questions) {
		set := newSet(name, language)
		names := set.addPassages(passages, language)
		set.addDocuments(files, names)
		set.addQuestions(questions, language, names)
		for i := range set.Questions {
			set.Questions[i].setManual(manual[set.Questions[i].ID])
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// readManualQuestions reads what package manuals knows of the questions, by id. It returns nil where the questions are not about manuals.
func readManualQuestions(folder string, questions []questionLine) (map[string]*manuals.Question, error) {
	if !slices.ContainsFunc(questions, func(q questionLine) bool { return q.Kind != "" }) {
		return nil, nil //nolint:nilnil // nothing to know
	}
	var list []manuals.Question
	if err := readLines(filepath.Join(folder, "questions.jsonl"), &list); err != nil {
		return nil, err
	}
	byID := map[string]*manuals.Question{}
	for i := range list {
		byID[list[i].ID] = &list[i]
	}
	return byID, nil
}

// setManual adds what package manuals knows of the question. m may be nil.
func (q *Question) setManual(m *manuals.Question) {
	q.Manual = m
	for i := range q.Gold {
		if m != nil && q.Gold[i].Page == 0 {
			q.Gold[i].Text = m.Quote
		}
	}
}

func newSet(name, language string) *Set {
	set := &Set{Name: name, Language: "en"}
	if language != "" {
		set.Name, set.Language = name+"-"+language, language
	}
	if name == chunkStartsSet {
		set.PageSlack = 1
	}
	return set
}

func languages(questions []questionLine) []string {
	var list []string
	for i := range questions {
		if !slices.Contains(list, questions[i].Language) {
			list = append(list, questions[i].Language)
		}
	}
	slices.Sort(list)
	return list
}

func readLines[T any](path string, into *[]T) error {
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		return err
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 64<<20)
	for n := 1; scanner.Scan(); n++ {
		if strings.TrimSpace(scanner.Text()) == "" {
			continue
		}
		var line T
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			return fmt.Errorf("%s line %d: %w", path, n, err)
		}
		*into = append(*into, line)
	}
	return scanner.Err()
}

func readOptional[T any](path string, into *[]T) error {
	err := readLines(path, into)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// readDocuments reads docs.jsonl and the files in docs/, by file name. Both may be missing.
func readDocuments(folder string) (map[string][]byte, error) {
	files := map[string][]byte{}
	var lines []documentLine
	if err := readOptional(filepath.Join(folder, "docs.jsonl"), &lines); err != nil {
		return nil, err
	}
	for _, l := range lines {
		if strings.TrimSpace(l.Text) != "" { // an empty file is not a document
			files[l.Filename] = []byte(l.Text)
		}
	}
	docs := filepath.Join(folder, "docs")
	if !isFolder(docs) {
		return files, nil
	}
	root, err := os.OpenRoot(docs)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[path], err = fs.ReadFile(root.FS(), path)
		return err
	})
	return files, err
}
