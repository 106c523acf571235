package dataset

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// uploadNames returns a name without folders for each file. It is the base name unless several files have the same.
func uploadNames(files []string) map[string]string {
	count := map[string]int{}
	for _, f := range files {
		count[path.Base(f)]++
	}
	names := map[string]string{}
	for _, f := range files {
		names[f] = path.Base(f)
		if count[path.Base(f)] > 1 {
			names[f] = strings.ReplaceAll(f, "/", "_")
		}
	}
	return names
}

// addPassages adds the paragraphs in the language and returns the upload names of their files.
func (s *Set) addPassages(lines []passageLine, language string) map[string]string {
	var files []string
	for _, l := range lines {
		if l.Language == language && !slices.Contains(files, l.Filename) {
			files = append(files, l.Filename)
		}
	}
	names := uploadNames(files)
	for _, l := range lines {
		if l.Language == language {
			s.Passages = append(s.Passages, Passage{ID: l.ParagraphID, File: names[l.Filename], Text: l.Text})
		}
	}
	return names
}

// addDocuments adds the files. Without files, a document is its paragraphs joined by blank lines.
func (s *Set) addDocuments(files map[string][]byte, names map[string]string) {
	if len(files) > 0 {
		maps.Copy(names, uploadNames(slices.Sorted(maps.Keys(files))))
		for _, f := range slices.Sorted(maps.Keys(files)) {
			s.Documents = append(s.Documents, Document{Name: names[f], Data: files[f]})
		}
		return
	}
	at := map[string]int{}
	for _, p := range s.Passages {
		i, known := at[p.File]
		if !known {
			i = len(s.Documents)
			at[p.File] = i
			s.Documents = append(s.Documents, Document{Name: p.File})
		}
		if known {
			s.Documents[i].Data = append(s.Documents[i].Data, "\n\n"...)
		}
		s.Documents[i].Data = append(s.Documents[i].Data, p.Text...)
	}
}

func (s *Set) addQuestions(lines []questionLine, language string, names map[string]string) {
	byID := map[string]Passage{}
	for _, p := range s.Passages {
		byID[p.ID] = p
	}
	for i := range lines {
		l := &lines[i]
		if l.Language != language {
			continue
		}
		q := Question{
			ID: l.ID, Text: strings.TrimSpace(l.Question), Answers: l.Answers, AllAnswers: l.AllAnswers,
			Answerable: l.Answerable == nil || *l.Answerable,
		}
		for _, turn := range l.History {
			if turn.Role == "user" {
				q.History = append(q.History, strings.TrimSpace(turn.Text))
			}
		}
		if q.Answerable {
			q.Gold = golds(l, byID, names)
		}
		s.Questions = append(s.Questions, q)
	}
}

func golds(l *questionLine, byID map[string]Passage, names map[string]string) []Gold {
	var list []Gold
	for _, id := range append(slices.Clone(l.ParagraphIDs), l.ParagraphID) {
		if p, ok := byID[id]; ok {
			list = append(list, Gold{File: p.File, Text: p.Text})
		}
	}
	for _, page := range l.PageNumbers {
		list = append(list, Gold{File: names[l.Filename], Page: page})
	}
	if len(list) > 0 {
		return list
	}
	for _, f := range append(slices.Clone(l.Filenames), l.RelevantFilenames...) {
		list = append(list, Gold{File: names[f]})
	}
	return list
}
