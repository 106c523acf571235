package markup_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/markup"
)

func TestUnlink(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"see https://a.example/b.":        "see https://a.example/b.",
		"x[0](y) and `x[0](y)`":           "x[0] (y) and `x[0](y)`",
		"`` ` [a](b) `` [c](d)":           "`` ` [a](b) `` [c] (d)",
		"``` [a](b) `":                    "``` [a] (b) `",
		"<JavaScript:x> data:text/html,y": "`<x>` text/html,y",
		"cp <file> <dir>, 1 < 2 <= 3":     "cp `<file>` `<dir>`, 1 < 2 <= 3",
		"<script>alert(1)</script>":       "`<script>`alert(1)`</script>`",
		"<img src=x onerror=alert(1)":     "&lt;img src=x onerror=alert(1)",
		"<https://a.example> <a@b.ex>":    "<https://a.example> <a@b.ex>",
		"` <b>":                           "` &lt;b>",
		"data: three rows":                "data: three rows",
	} {
		got, _ := markup.Unlink(text, false)
		require.Equal(t, want, got)
	}
	got, open := markup.Unlink("a `", false)
	require.True(t, open)
	require.Equal(t, "a `", got)
	got, _ = markup.Unlink("`[a](b)`", true)
	require.Equal(t, "`[a] (b)`", got)
}

func TestWithAddresses(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Here (https://a.example) or there.", markup.WithAddresses("Here or there.", "[Here](https://a.example) or [there](javascript:x)."))
}

func TestFence(t *testing.T) {
	t.Parallel()
	require.Equal(t, "```", markup.Fence("a"))
	require.Equal(t, "`````", markup.Fence("a\n````\nb"))
}
