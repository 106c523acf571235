package chunkfile_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/chunk"
	"docqa/internal/engine/chunkfile"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/parse"
)

func records() []*chunkfile.Record {
	return []*chunkfile.Record{
		{
			Chunk: chunk.Chunk{Ordinal: 0, Page: 1, Start: 0, End: 5, HeadingPath: []string{"Größe", "日本語"}, Context: "a\tb", Text: "ä # b"},
			Terms: []lexical.Term{{Index: 0, Weight: 0.5}, {Index: 7, Weight: 1e-6}, {Index: lexical.Dimensions - 1, Weight: 2}}, Places: []byte{1, 2, 3},
		},
		{Chunk: chunk.Chunk{Ordinal: 1, Page: 2, Start: 3, End: 900, HeadingPath: []string{}, Lead: "\n\n- ", Text: "second"}, Terms: []lexical.Term{}, Places: []byte{}},
	}
}

func leftOut() []doc.LeftOut {
	return []doc.LeftOut{{Reason: doc.Hidden, Characters: 7}, {Reason: doc.Navigation, Characters: 300}}
}

// ending writes a file without chunks that leaves out text for the reasons.
func ending(tb testing.TB, reasons ...doc.LeftOut) []byte {
	tb.Helper()
	var out bytes.Buffer
	require.NoError(tb, chunkfile.NewWriter(&out).Close(chunkfile.Summary{LeftOut: reasons}))
	return out.Bytes()
}

// file writes the records and a summary.
func file(tb testing.TB, list []*chunkfile.Record) []byte {
	tb.Helper()
	var out bytes.Buffer
	w := chunkfile.NewWriter(&out)
	for _, r := range list {
		require.NoError(tb, w.Add(r))
	}
	require.NoError(tb, w.Close(chunkfile.Summary{Pages: 2, Language: "de", Characters: 900, LeftOut: leftOut()}))
	return out.Bytes()
}

func TestReader_readsWhatWasWritten(t *testing.T) {
	t.Parallel()
	want := records()
	data := file(t, want)
	r := chunkfile.NewReader(bytes.NewReader(data))
	var offsets []int64
	for _, record := range want {
		got, err := r.Next()
		require.NoError(t, err)
		require.Equal(t, record, got)
		offsets = append(offsets, r.Offset())
	}
	require.Nil(t, r.Summary())
	for range 2 {
		_, err := r.Next()
		require.ErrorIs(t, err, io.EOF)
	}
	require.Equal(t, &chunkfile.Summary{Chunks: 2, Pages: 2, Language: "de", Characters: 900, LeftOut: leftOut()}, r.Summary())

	again := chunkfile.ResumeReader(bytes.NewReader(data[offsets[0]:]), offsets[0], 1)
	got, err := again.Next()
	require.NoError(t, err)
	require.Equal(t, want[1], got)
	require.Equal(t, offsets[1], again.Offset())
}

func TestReader_readsWhyAFileFailed(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := chunkfile.NewWriter(&out)
	require.NoError(t, w.Add(records()[0]))
	require.NoError(t, w.Fail(parse.NoText()))
	r := chunkfile.NewReader(&out)
	_, err := r.Next()
	require.NoError(t, err)
	_, err = r.Next()
	require.Equal(t, parse.CodeNoText, parse.CodeOf(err))
}

func TestReader_refuses(t *testing.T) {
	t.Parallel()
	broken := func(change func(r *chunkfile.Record)) []byte {
		list := records()
		change(list[0])
		return file(t, list)
	}
	good := file(t, records())
	for name, data := range map[string][]byte{
		"nothing":                 {},
		"another version":         append([]byte{'9'}, good[1:]...),
		"an unknown frame":        {'3', 'X', 0, 0, 0, 0},
		"a frame of gigabytes":    {'3', 'C', 0xff, 0xff, 0xff, 0xff, 'x'},
		"a string past its frame": {'3', 'E', 2, 0, 0, 0, 0xff, 0x01},
		"a number without end":    {'3', 'E', 11, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
		"half a file":             good[:len(good)-3],
		"bytes behind the end":    append(bytes.Clone(good), 0),
		"no summary":              good[:len(good)-10],
		"text that is no UTF-8":   broken(func(r *chunkfile.Record) { r.Text = "\xff" }),
		"text with NUL":           broken(func(r *chunkfile.Record) { r.Text = "a\x00b" }),
		"a heading with NUL":      broken(func(r *chunkfile.Record) { r.HeadingPath = []string{"\x00"} }),
		"an empty chunk":          broken(func(r *chunkfile.Record) { r.Text = "" }),
		"a chunk that goes back":  broken(func(r *chunkfile.Record) { r.End = r.Start }),
		"a chunk out of order":    broken(func(r *chunkfile.Record) { r.Ordinal = 1 }),
		"a term twice":            broken(func(r *chunkfile.Record) { r.Terms[1].Index = 0 }),
		"a term without weight":   broken(func(r *chunkfile.Record) { r.Terms[1].Weight = 0 }),
		"a term out of space":     broken(func(r *chunkfile.Record) { r.Terms[2].Index = lexical.Dimensions }),
		"an unknown reason":       ending(t, doc.LeftOut{Reason: "mood", Characters: 1}),
		"a reason twice":          ending(t, doc.LeftOut{Reason: doc.Hidden, Characters: 1}, doc.LeftOut{Reason: doc.Hidden, Characters: 1}),
		"nothing left out":        ending(t, doc.LeftOut{Reason: doc.Hidden}),
		"headings without end":    broken(func(r *chunkfile.Record) { r.HeadingPath = make([]string, 17) }),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.ErrorIs(t, drain(data), chunkfile.ErrMalformed)
		})
	}
	t.Run("an error of the source stays one", func(t *testing.T) {
		t.Parallel()
		full := errors.New("no space left")
		r := chunkfile.NewReader(io.MultiReader(bytes.NewReader(good[:20]), failing{full}))
		for {
			if _, err := r.Next(); err != nil {
				require.ErrorIs(t, err, full)
				require.NotErrorIs(t, err, chunkfile.ErrMalformed)
				return
			}
		}
	})
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// drain reads to the end; nil where that was a good one.
func drain(data []byte) error {
	r := chunkfile.NewReader(bytes.NewReader(data))
	for {
		if _, err := r.Next(); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add(file(f, records()))
	f.Add([]byte{'3', 'E', 4, 0, 0, 0, 1, 'x', 1, 'y'})
	f.Fuzz(func(t *testing.T, data []byte) {
		r := chunkfile.NewReader(bytes.NewReader(data))
		var again bytes.Buffer
		w := chunkfile.NewWriter(&again)
		for {
			record, err := r.Next()
			if errors.Is(err, io.EOF) {
				require.NoError(t, w.Close(*r.Summary()))
				require.NoError(t, drain(again.Bytes()), "what was read can be written")
				return
			}
			if err != nil {
				return
			}
			require.NoError(t, w.Add(record))
		}
	})
}
