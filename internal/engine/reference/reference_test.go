package reference_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/reference"
)

func TestResolve(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ earlier, answer, question, want string }{
		{"How long does the warranty cover the battery?", "Two years [1].", "And the frame?", "How long does the warranty cover the frame?"},
		{"How long is the warranty for the battery?", "Two years.", "and for the frame?", "How long is the warranty for the frame?"},
		{"What does --all do?", "It selects all.", "And --none?", "What does --none do?"},
		{"What is the default of Max-Size in EDSP?", "8.", "And of Min-Size?", "What is the default of Min-Size in EDSP?"},
		{"What is the default of max_size?", "8.", "and of min_size", "What is the default of min_size?"},
		{"What stands in chapter 2?", "Tools.", "And chapter 5?", "What stands in chapter 5?"},
		{"What does start do in a script?", "It starts.", "And stop?", "What does stop do in a script?"},
		{"How long does delivery take?", "Three days.", "What about Iceland?", "How long does delivery take Iceland?"},
		{"Was kostet die Miete?", "10 Euro.", "Und die Kaution?", "Was kostet die Kaution?"},
		{"Which modes are there?", "There are three: slow; fast; silent [1].", "What does the second one do?", "What does fast do?"},
		{"Which modes are there?", "1. slow mode\n2. fast mode", "How do I set the last one?", "How do I set fast mode?"},
		{"Which modes are there?", "The modes are: slow, fast and silent.", "How do I set the third?", "How do I set silent?"},
		// These are whole.
		{"How long does delivery take?", "Three days.", "And how many days may goods be returned?", "And how many days may goods be returned?"},
		{"How long does delivery take?", "Three days.", "What is the first one?", "What is the first one?"},
		{"How long does delivery take?", "Three days.", "Who won the first world war?", "Who won the first world war?"},
		{"", "", "And the frame?", "And the frame?"},
	} {
		var earlier []string
		if c.earlier != "" {
			earlier = []string{c.earlier}
		}
		require.Equal(t, c.want, reference.Resolve(c.question, earlier, c.answer).Text, c.question)
	}
	chain := reference.Resolve("And for the motor?", []string{"How long is the warranty for the battery?", "And for the frame?"}, "Ten years.")
	require.Equal(t, "How long is the warranty for the motor?", chain.Text)
}

func TestResolve_pronouns(t *testing.T) {
	t.Parallel()
	asked := []string{"What counts as noise?"}
	got := reference.Resolve("How can I reduce that?", asked, "The compressor hums at night [1].")
	require.Equal(t, []string{"What counts as noise?", "The compressor hums at night."}, got.Earlier)
	require.Equal(t, "How can I reduce that?", got.Text)
	require.Len(t, asked, 1)
	require.Equal(t, asked, reference.Resolve("How loud is the pump?", asked, "The compressor hums.").Earlier)
}

func TestResolve_timeIsBounded(t *testing.T) {
	t.Parallel()
	began := time.Now()
	long := strings.Repeat("the first one and --a of 设置 ", 4000)
	reference.Resolve(long, []string{long, long}, long)
	reference.Resolve("And --x?", []string{long, "and " + long, "and --b?"}, strings.Repeat("a; ", 10000))
	reference.Resolve("the last one?", []string{long}, strings.Repeat("- a\n", 10000))
	require.Less(t, time.Since(began), 3*time.Second)
}
