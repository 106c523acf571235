// Command learn fits the weights of ranking over a folder of evaluation data.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/alecthomas/kong"

	"docqa/internal/evaluation/lab"
	"docqa/internal/models"
	"docqa/internal/provider/embed"
)

type flags struct {
	Data   string   `required:"" type:"existingdir" help:"Folder of the evaluation data."`
	Cache  string   `required:"" help:"Folder for what is slow to compute."`
	Model  string   `default:".data/models/all-MiniLM-L6-v2" help:"Folder of the embedding model."`
	Sets   []string `help:"Sets; default all."`
	Words  bool
	Joined int `default:"2"`
}

func main() {
	var f flags
	kong.Parse(&f)
	ctx := context.Background()
	lab.MostJoined = f.Joined
	o := lab.Options{Data: f.Data, Cache: f.Cache, Progress: os.Stderr}
	if !f.Words {
		e, err := embed.Open(ctx, models.Embedding{Kind: models.LocalEmbedding, Folder: f.Model}, embed.Options{})
		if err != nil {
			panic(err)
		}
		o.Embedder = e
	}
	l, err := lab.Open(o)
	if err != nil {
		panic(err)
	}
	if f.Sets == nil {
		f.Sets = l.Names()
	}
	for _, name := range f.Sets {
		began := time.Now()
		c, err := l.Corpus(ctx, name)
		if err != nil {
			panic(err)
		}
		opened := time.Since(began)
		n, hit := 0, [3]int{}
		for i := range c.Set.Questions {
			q := &c.Set.Questions[i]
			if len(q.Gold) == 0 {
				continue
			}
			n++
			s, err := c.Search(ctx, lab.Query{Text: q.Text, History: q.History, Candidates: 50, Words: f.Words})
			if err != nil {
				panic(err)
			}
			var order []*lab.Chunk
			for _, k := range s.Candidates {
				order = append(order, k.Chunk)
			}
			r := c.Rank(q, order)
			for j, k := range []int{1, 5, 10} {
				if r > 0 && r <= k {
					hit[j]++
				}
			}
		}
		fmt.Printf("%-12s n %4d chunks %5d  hit@1 %.3f @5 %.3f @10 %.3f  open %v all %v\n", name, n, len(c.Chunks), float64(hit[0])/float64(n), float64(hit[1])/float64(n), float64(hit[2])/float64(n), opened, time.Since(began))
	}
}
