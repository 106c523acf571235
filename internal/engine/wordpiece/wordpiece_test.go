package wordpiece_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/wordpiece"
)

const caseTokens = 64 // the largest number of tokens in the cases

var casesFile = flag.String("cases", "testdata/cases.jsonl.gz", "cases made by tools/model/wordpiece_cases.py")

func open(tb testing.TB, path string) io.Reader {
	tb.Helper()
	f, err := os.Open(path)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, f.Close()) })
	z, err := gzip.NewReader(f)
	require.NoError(tb, err)
	return z
}

func tokenizer(tb testing.TB, o wordpiece.Options) *wordpiece.Tokenizer {
	tb.Helper()
	tok, err := wordpiece.New(open(tb, "testdata/vocab.txt.gz"), o)
	require.NoError(tb, err)
	return tok
}

type example struct {
	Text string  `json:"text"`
	IDs  []int64 `json:"ids"`
}

func examples(tb testing.TB) (list []example) {
	tb.Helper()
	for dec := json.NewDecoder(open(tb, *casesFile)); ; {
		var c example
		err := dec.Decode(&c)
		if err == io.EOF {
			return list
		}
		require.NoError(tb, err)
		list = append(list, c)
	}
}

func TestEncode_reference(t *testing.T) {
	t.Parallel()
	tok, list := tokenizer(t, wordpiece.Options{MaxTokens: caseTokens}), examples(t)
	require.GreaterOrEqual(t, len(list), 600)
	for _, c := range list {
		require.Equal(t, c.IDs, tok.Encode(nil, c.Text), "%q", c.Text)
	}
}

// TestEncode_everyCodePoint finds the class of each character by the words that it makes of
// "a?b", with the character in place of "?".
func TestEncode_everyCodePoint(t *testing.T) {
	t.Parallel()
	vocab := strings.Join([]string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "ab"}, "\n")
	tok, err := wordpiece.New(strings.NewReader(vocab), wordpiece.Options{MaxTokens: 16})
	require.NoError(t, err)
	want := map[string][]int64{"removed": {2, 6, 3}, "space": {2, 4, 5, 3}, "letter": {2, 1, 3}, "alone": {2, 4, 1, 5, 3}}
	seen := 0
	for lines := bufio.NewScanner(open(t, "testdata/classes.txt.gz")); lines.Scan(); {
		var lo, hi rune
		var class string
		_, err := fmt.Sscanf(lines.Text(), "%x %x %s", &lo, &hi, &class)
		require.NoError(t, err)
		for r := lo; r <= hi; r++ {
			seen++
			if got := tok.Encode(nil, "a"+string(r)+"b"); !slices.Equal(want[class], got) && r != 'a' && r != 'A' && r != 'b' && r != 'B' {
				plain := class == "letter" && got[1] != 1 // a letter that lost its accent
				require.True(t, plain, "%U: %s, got %v", r, class, got)
			}
		}
	}
	require.Equal(t, utf8.MaxRune+1-0x800, rune(seen))
}

func TestEncode_cased(t *testing.T) {
	t.Parallel()
	vocab := "[PAD]\n[UNK]\n[CLS]\n[SEP]\nÉt\n##é\net\n##e\n"
	for _, c := range []struct {
		cased bool
		want  []int64
	}{{true, []int64{2, 4, 5, 3}}, {false, []int64{2, 6, 7, 3}}} {
		tok, err := wordpiece.New(strings.NewReader(vocab), wordpiece.Options{Cased: c.cased, MaxTokens: 16})
		require.NoError(t, err)
		require.Equal(t, c.want, tok.Encode(nil, "Été"))
		require.Equal(t, 8, tok.Size())
		require.Zero(t, tok.Padding())
	}
}

func TestEncode_appends(t *testing.T) {
	t.Parallel()
	tok := tokenizer(t, wordpiece.Options{MaxTokens: 4})
	ids := tok.Encode([]int64{7}, "one two three")
	require.Equal(t, []int64{7, 101, 2028, 2048, 102}, ids)
	require.Equal(t, []int64{101, 2028, 102}, tokenizer(t, wordpiece.Options{}).Encode(nil, "one two"), "never less than one token")
}

func TestNew_refuses(t *testing.T) {
	t.Parallel()
	for name, vocab := range map[string]string{
		"empty": "", "no special tokens": "a\nb\n", "an endless line": strings.Repeat("x", 1<<17),
	} {
		_, err := wordpiece.New(strings.NewReader(vocab), wordpiece.Options{MaxTokens: 8})
		require.ErrorContains(t, err, "vocabulary", name)
	}
}

func FuzzEncode(f *testing.F) {
	for _, c := range examples(f)[:60] {
		f.Add(c.Text)
	}
	f.Add("\xff\xfe[CL\xc3(")
	tok, long := tokenizer(f, wordpiece.Options{MaxTokens: 16}), tokenizer(f, wordpiece.Options{MaxTokens: 8192})
	f.Fuzz(func(t *testing.T, text string) {
		ids, all := tok.Encode(nil, text), long.Encode(nil, text)
		require.LessOrEqual(t, len(ids), 16)
		require.Equal(t, int64(101), ids[0])
		require.Equal(t, int64(102), ids[len(ids)-1])
		require.Equal(t, all[:len(ids)-1], ids[:len(ids)-1], "cut, not changed")
		for _, id := range all {
			require.Less(t, id, int64(tok.Size()))
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	tok := tokenizer(b, wordpiece.Options{MaxTokens: 256})
	for name, text := range map[string]string{
		"english": strings.Repeat("The warranty covers the battery for two years or 700 full charge cycles. ", 12),
		"german":  strings.Repeat("Die Gewährleistung für den Akku beträgt zwei Jahre oder 700 Ladezyklen. ", 8),
		"chinese": strings.Repeat("保修期为两年，电池除外。", 20),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			var ids []int64
			for b.Loop() {
				ids = tok.Encode(ids[:0], text)
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	vocab, err := io.ReadAll(open(b, "testdata/vocab.txt.gz"))
	require.NoError(b, err)
	for b.Loop() {
		_, err := wordpiece.New(strings.NewReader(string(vocab)), wordpiece.Options{MaxTokens: 256})
		require.NoError(b, err)
	}
}
