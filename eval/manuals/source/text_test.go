package source_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/manuals/source"
)

func TestText(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ name, data, want string }{
		"plain text":           {"a.txt", "two\n  words", "two words"},
		"words of a line":      {"a.html", "<p>one<b>two</b> <i>three</i></p>", "onetwo three"},
		"blocks are apart":     {"a.html", "<dt>term</dt><dd>text</dd>", "term text"},
		"cells are apart":      {"a.html", "<table><tr><td>a</td><td>b</td></tr></table>", "a b"},
		"a break is a space":   {"a.html", "a<br>b", "a b"},
		"no scripts":           {"a.html", "<head><title>t</title></head><script>x</script><style>y</style>z", "z"},
		"no links to headings": {"a.html", `<h1>Name<a class="headerlink" href="#n">¶</a></h1>`, "Name"},
		"entities":             {"a.html", "a &lt; b", "a < b"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := source.Text(t.Context(), tt.name, []byte(tt.data))
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

func TestNormal(t *testing.T) {
	t.Parallel()
	require.Equal(t, `"a" 'b' - c...`, source.Normal("“a”\n ‘b’ – c…"))
}
