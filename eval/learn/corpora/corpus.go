package corpora

import (
	"context"
	"fmt"

	"docqa/eval/dataset"
	"docqa/internal/embedding"
	"docqa/internal/engine/chunk"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/sentvec"
	"docqa/internal/search"
)

// Corpus is an indexed set.
type Corpus struct {
	Set       *dataset.Set
	Documents map[string]*doc.Document // by file name
	Chunks    []*Chunk
	Stats     *lexical.Stats

	postings map[int32][]posting
	lexicon  *lexical.Lexicon // made when the first question has a word that no chunk holds
	vectors  *store           // nil = keyword search only
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
	places := make([][]sentvec.Sentence, len(c.Chunks))
	for i, k := range c.Chunks {
		var statements []string
		places[i], statements = embedding.Statements(&embedding.Piece{Context: k.Context, Body: k.Text, Blocks: k.Marks.Pack()})
		texts = append(append(texts, search.ChunkText(k.Title, k.HeadingPath, k.Context, k.Text)), statements...)
	}
	made, err := c.vectors.get(ctx, texts)
	if err != nil {
		return err
	}
	for i, k := range c.Chunks {
		k.Vector, made = made[0], made[1:]
		for n := range places[i] {
			places[i][n].Vector = made[n]
		}
		k.Sentences = sentvec.Pack(places[i])
		made = made[len(places[i]):]
	}
	return nil
}
