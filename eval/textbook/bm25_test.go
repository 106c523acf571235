package textbook_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/textbook"
)

func TestIndex_Search(t *testing.T) {
	t.Parallel()

	t.Run("ranks by rarity, frequency and length", func(t *testing.T) {
		t.Parallel()
		x := textbook.New([]textbook.Unit{
			{File: "a.md", Text: "cats sleep"},
			{File: "b.md", Text: "cats and dogs sleep in the long grass of the garden"},
			{File: "c.md", Text: "dogs bark at dogs"},
		}, "en")
		found := x.Search("a dog", 10)
		require.Len(t, found, 2)
		require.Equal(t, "c.md", found[0].File)
		require.Equal(t, "b.md", found[1].File)
		require.Equal(t, "a.md", x.Search("sleeping cats", 1)[0].File, "stems are compared, and the short text wins")
		require.Empty(t, x.Search("the of", 10))
	})

	t.Run("reads the title", func(t *testing.T) {
		t.Parallel()
		x := textbook.New([]textbook.Unit{{File: "Black_Death.md", Text: "It came by ship."}, {File: "Oil.md", Text: "It came by ship."}}, "en")
		require.Equal(t, "Black_Death.md", x.Search("black death", 5)[0].File)
	})

	t.Run("takes pairs of characters where there are no spaces", func(t *testing.T) {
		t.Parallel()
		x := textbook.New([]textbook.Unit{{File: "a", Text: "京东商城"}, {File: "b", Text: "东京大学"}}, "zh")
		found := x.Search("东京", 5)
		require.Len(t, found, 1)
		require.Equal(t, "b", found[0].File)
	})
}

func TestIndex_windows(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("w ", 299) + "end"
	x := textbook.New([]textbook.Unit{{File: "a", Page: 2, Text: long}, {File: "b", Text: strings.Repeat("v ", 100) + "end"}, {File: "c"}}, "en")
	found := x.Search("end w", 5)
	require.Len(t, found, 2, "two windows of one page are one page")
	require.Equal(t, long, found[0].Text)
	require.Equal(t, 2, found[0].Page)
}

func TestTitle(t *testing.T) {
	t.Parallel()
	require.Equal(t, "AMCOR 2022 8K dated 2022 07 01", textbook.Title("AMCOR_2022_8K_dated-2022-07-01.pdf"))
}
