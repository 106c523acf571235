package embedding

import (
	"context"
	"unicode/utf8"

	"docqa/internal/engine/sentvec"
	"docqa/internal/engine/statement"
	"docqa/internal/search"
)

const (
	// together is how many chunks are handed to a model at once, with their sentences: enough
	// for batches of a like length, little enough for a second.
	together = 16
	// maxSentences limits the vectors of one chunk: a listing may have one line for each character.
	maxSentences = 100
)

// Piece is a chunk that a model is to read.
type Piece struct {
	Title       string
	HeadingPath []string
	Context     string // the header of a table that began in an earlier chunk
	Body        string
}

// Reading is what a model made of a piece.
type Reading struct {
	Chunk     []float32 // the vector of the whole, title and headings included
	Sentences []byte    // the vectors of its statements, packed by sentvec
}

// Read makes the vectors of pieces. Errors: as Embed.
func Read(ctx context.Context, m *search.Models, name string, pieces []Piece) ([]Reading, error) {
	readings := make([]Reading, 0, len(pieces))
	known := map[string][]float32{} // consecutive chunks overlap
	for from := 0; from < len(pieces); from += together {
		g := group{known: known}
		for i := from; i < min(from+together, len(pieces)); i++ {
			g.add(&pieces[i])
		}
		made, err := m.Embed(ctx, name, g.texts)
		if err != nil {
			return nil, err
		}
		readings = append(readings, g.readings(made)...)
		known = g.last(made)
	}
	return readings, nil
}

// group is what is embedded at once: each text once.
type group struct {
	known  map[string][]float32 // of the group before
	texts  []string
	places map[string]int // of a sentence's text in texts
	pieces []placed
}

// placed is a piece whose texts wait for their vectors.
type placed struct {
	whole     int // place in texts
	sentences []sentvec.Sentence
	texts     []string // of the sentences
}

func (g *group) add(p *Piece) {
	one := placed{whole: len(g.texts)}
	g.texts = append(g.texts, search.ChunkText(p.Title, p.HeadingPath, p.Context, p.Body))
	if g.places == nil {
		g.places = map[string]int{}
	}
	for _, s := range sentences(p) {
		text := s.text
		one.sentences = append(one.sentences, s.Sentence)
		one.texts = append(one.texts, text)
		if _, ok := g.places[text]; ok || g.known[text] != nil {
			continue
		}
		g.places[text] = len(g.texts)
		g.texts = append(g.texts, text)
	}
	g.pieces = append(g.pieces, one)
}

func (g *group) vector(text string, made [][]float32) []float32 {
	if at, ok := g.places[text]; ok {
		return made[at]
	}
	return g.known[text]
}

func (g *group) readings(made [][]float32) []Reading {
	out := make([]Reading, len(g.pieces))
	for i, p := range g.pieces {
		for j, text := range p.texts {
			p.sentences[j].Vector = g.vector(text, made)
		}
		out[i] = Reading{Chunk: made[p.whole], Sentences: sentvec.Pack(p.sentences)}
	}
	return out
}

// last are the vectors of the last piece's sentences, which the next group may repeat.
func (g *group) last(made [][]float32) map[string][]float32 {
	known := map[string][]float32{}
	for _, text := range g.pieces[len(g.pieces)-1].texts {
		known[text] = g.vector(text, made)
	}
	return known
}

type said struct {
	sentvec.Sentence
	text string
}

// sentences are the statements of the body. The header of a table that began before it is
// read with it, so that its rows know their columns.
func sentences(p *Piece) []said {
	text, before := p.Body, 0
	if p.Context != "" {
		text, before = p.Context+"\n"+p.Body, len(p.Context)+1
	}
	var out []said
	at, runes := before, 0 // bytes in text, code points in the body
	for _, span := range statement.Split(text) {
		if span.Start < before {
			continue
		}
		start := runes + utf8.RuneCountInString(text[at:span.Start])
		at, runes = span.Start, start
		end := start + utf8.RuneCountInString(text[span.Start:span.End])
		out = append(out, said{sentvec.Sentence{Start: start, End: end}, span.Whole()})
		if len(out) == maxSentences {
			break
		}
	}
	return out
}
