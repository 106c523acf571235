package reading_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/manuals/reading"
)

func TestPage(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("Ten words of text stand here for the article now. ", 20)
	for name, tt := range map[string]struct {
		page string
		want reading.Measure
	}{
		"all of the article":     {`<div class="related">Home</div><div role="main"><h1>Pumps<a class="headerlink" href="#p">¶</a></h1><p>` + text + `</p></div>`, reading.Measure{Article: 201}},
		"a page without a mark":  {`<body><p>` + text + `</p></body>`, reading.Measure{Article: 200}},
		"text that is left out":  {`<div role="main"><p>` + text + `</p><div class="comments"><p>not indexed</p></div></div>`, reading.Measure{Article: 202, Missing: 2}},
		"chrome that is indexed": {`<div class="menu">One two</div><div role="main"><p>` + text + `</p></div>`, reading.Measure{Article: 200}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := reading.Page(tt.page)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

func TestMeasure(t *testing.T) {
	t.Parallel()
	m := reading.Measure{Article: 60, Missing: 1}
	m.Add(reading.Measure{Article: 40, Missing: 3, Foreign: 2})
	require.InDelta(t, 0.96, m.Indexed(), 1e-9)
	require.Equal(t, 2, m.Foreign)
}
