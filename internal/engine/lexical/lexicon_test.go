package lexical_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/lexical"
)

// respelt corrects text against the words of the passages.
func respelt(text string, passages ...string) string {
	st, x := lexical.NewStats(), lexical.NewLexicon()
	indexer := lexical.NewIndexer(lexical.Detect(strings.Join(passages, " ")))
	for _, p := range passages {
		st.Add(indexer.Terms(lexical.Passage{Body: p}))
		x.Add(p)
	}
	return lexical.Respell(text, st.Question(text).Suspects(text), x)
}

func TestRespell(t *testing.T) {
	t.Parallel()
	const manual = "The warranty covers the battery for two years. Where is it stored? The option --sandbox and the setting max_conn are in PUSHD_SILENT and the configuration. It is a better wine. Écoutez la théière."
	for typed, want := range map[string]string{
		"how long is the warrenty":         "how long is the warranty",         // a vowel for another
		"how long is the Waranty":          "how long is the Warranty",         // a letter left out
		"baterry covrage":                  "battery covrage",                  // two slips; the other word has no near one
		"what does --sandbx do":            "what does --sandbox do",           // in an option
		"max_con":                          "max_conn",                         // three letters within a name
		"what does PUSHD_SILNT do":         "what does PUSHD_SILENT do",        // in capitals
		"confijuration":                    "configuration",                    // any letter in a long word
		"wher is the battrey":              "where is the battery",             // neighbours swapped
		"the theiere":                      "the théière",                      // accents
		"line":                             "line",                             // the first letter is right
		"bettor con":                       "better con",                       // three letters by themselves stay
		"battle":                           "battle",                           // not the usual slips
		"how long is the warranty":         "how long is the warranty",         // known
		"sandbox2 max_conn3":               "sandbox2 max_conn3",               // with digits
		"Wie lange gilt die Warrenty hier": "Wie lange gilt die Warrenty hier", // in another language
		"":                                 "",
	} {
		require.Equal(t, want, respelt(typed, manual), typed)
	}
}

// TestRespell_timeIsBounded asks 4,000 characters of mistakes about a list of 10,000 terms.
func TestRespell_timeIsBounded(t *testing.T) {
	t.Parallel()
	var terms strings.Builder
	for i := range 10_000 {
		_, _ = fmt.Fprintf(&terms, "%s%c%c%c%c definition\n", []string{"setting", "паравоз", "ρύθμιση", "ضبط"}[i%4], 'a'+i%26, 'a'+i/26%26, 'a'+i/676, 'a'+i%7)
	}
	question := strings.Repeat("settinq setitng паровсз ρυθμίσι ضبطتت 设置 ", 100)
	began := time.Now()
	respelt(question, terms.String())
	require.Less(t, time.Since(began), 3*time.Second)
	require.Equal(t, strings.Repeat("x", 4000), respelt(strings.Repeat("x", 4000), terms.String()))
}

func TestQuestion_Foreign(t *testing.T) {
	t.Parallel()
	english, st := lexical.NewIndexer(lexical.English), lexical.NewStats()
	for _, body := range []string{"The die is cast in the workshop.", "The option MULTIOS performs tees."} {
		st.Add(english.Terms(lexical.Passage{Body: body}))
	}
	for text, want := range map[string]lexical.Lang{
		"Was bewirkt die Option MULTIOS?": lexical.German, "¿Qué hace la opción MULTIOS?": lexical.Spanish, "что такое MULTIOS": lexical.Russian,
		"选项是什么": lexical.Unspaced, "What does the option do?": lexical.Unknown, "MULTIOS": lexical.Unknown, "was MULTIOS in use": lexical.Unknown,
	} {
		l, foreign := st.Question(text).Foreign(text)
		require.Equal(t, want != lexical.Unknown, foreign, text)
		if foreign {
			require.Equal(t, want, l, text)
		}
	}
	require.Len(t, st.Question("which die is cast").Find("The die is cast.").Hits, 2, "an English question may ask for a die")
	for _, w := range st.Question("Was bewirkt die Option MULTIOS?").Words {
		require.NotEqual(t, "die", w.Surface)
	}
}
