package corpora

import (
	"context"
	"fmt"
	"unicode/utf8"

	"docqa/eval/dataset"
	"docqa/internal/engine/chunk"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/sentvec"
	"docqa/internal/engine/statement"
	"docqa/internal/search"
)

// Corpus is an indexed set.
type Corpus struct {
	Set       *dataset.Set
	Documents map[string]*doc.Document // by file name
	Chunks    []*Chunk
	Stats     *lexical.Stats

	postings map[int32][]posting
	vectors  *store // nil = keyword search only
}

// Chunk is an indexed chunk.
type Chunk struct {
	chunk.Chunk

	File      string
	Number    int       // index in Corpus.Chunks
	Vector    []float32 // nil = keyword search only
	Sentences []byte    // packed; nil = keyword search only
}

type posting struct {
	chunk  int
	weight float32
}

func (l *Corpora) corpus(ctx context.Context, set *dataset.Set) (*Corpus, error) {
	c := &Corpus{Set: set, Documents: map[string]*doc.Document{}, Stats: lexical.NewStats(), postings: map[int32][]posting{}}
	for i := range set.Documents {
		d := &set.Documents[i]
		text, err := l.read(ctx, d)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", d.Name, err)
		}
		c.Documents[d.Name] = text
		c.add(d.Name, text)
	}
	var err error
	if c.vectors, err = l.vectors(set.Name); err != nil || c.vectors == nil {
		return c, err
	}
	return c, c.embed(ctx)
}

// add chunks and indexes a document.
func (c *Corpus) add(file string, text *doc.Document) {
	indexer := lexical.NewIndexer(lexical.Detect(text.Beginning()))
	for _, piece := range chunk.Split(text, chunk.TitleOf(file), chunk.Options{}) {
		one := &Chunk{Chunk: piece, File: file, Number: len(c.Chunks)}
		terms := indexer.Terms(lexical.Passage{Title: piece.Title, HeadingPath: piece.HeadingPath, Context: piece.Context, Body: piece.Text})
		c.Stats.Add(terms)
		for _, t := range terms {
			c.postings[t.Index] = append(c.postings[t.Index], posting{one.Number, t.Weight})
		}
		c.Chunks = append(c.Chunks, one)
	}
}

// embed computes the vectors of the chunks and of their statements.
func (c *Corpus) embed(ctx context.Context) error {
	var texts []string
	spans := make([][]statement.Span, len(c.Chunks))
	for i, k := range c.Chunks {
		spans[i] = statement.Split(k.Text)
		texts = append(texts, search.ChunkText(k.Title, k.HeadingPath, k.Context, k.Text))
		for n := range spans[i] {
			texts = append(texts, spans[i][n].Whole())
		}
	}
	made, err := c.vectors.get(ctx, texts)
	if err != nil {
		return err
	}
	for i, k := range c.Chunks {
		k.Vector, made = made[0], made[1:]
		k.Sentences = pack(k.Text, spans[i], made)
		made = made[len(spans[i]):]
	}
	return nil
}

// pack packs the vectors of the statements of a text as ingestion does.
func pack(text string, spans []statement.Span, made [][]float32) []byte {
	list := make([]sentvec.Sentence, len(spans))
	at, runes := 0, 0
	for i, s := range spans {
		runes += utf8.RuneCountInString(text[at:s.Start])
		at = s.Start
		list[i] = sentvec.Sentence{Start: runes, End: runes + utf8.RuneCountInString(text[s.Start:s.End]), Vector: made[i]}
	}
	return sentvec.Pack(list)
}
