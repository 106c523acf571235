package manuals_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/manuals"
)

func TestHolds(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text, phrase string
		want         bool
	}{
		"whatever the case":                  {"The Default is ABORT.", "abort", true},
		"whatever the white space":           {"the first\n   row", "first row", true},
		"whatever the quotes":                {"the “list” mode", `"list" mode`, true},
		"whatever the dash":                  {"multi‐thread", "multi-thread", true},
		"a number as a number":               {"at most 100 columns", "10", false},
		"a number before a full stop":        {"It defaults to 10.", "10", true},
		"not the end of a decimal":           {"since version 3.10", "10", false},
		"not the beginning of a decimal":     {"since version 3.10", "3", false},
		"not a part of a number with commas": {"1,000,000 bytes", "1", false},
		"not the amount of a negative one":   {"set it to -2000", "2000", false},
		"a negative number":                  {"the default is -2000, in KiB", "-2000", true},
		"a word as a word":                   {"the listing", "list", false},
		"signs need no border":               {"use ${#}to", "${#}", true},
		"a sign behind a word":               {"date +%q shows", "%q", true},
		"case of an option does not count":   {"ls -S", "-s", true},
		"nothing":                            {"text", " ", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, manuals.Holds(tt.text, tt.phrase))
		})
	}
}
