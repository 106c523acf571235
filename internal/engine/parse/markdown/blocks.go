package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// deepest is how many quotes, lists and list items may stand in each other. What is
// deeper is text. Every line costs a step for each of them.
const deepest = 64

// newParser parses blocks alone. Inline Markdown is not looked at: the text stays as it
// stands, and brackets and emphasis in some orders take time that is quadratic in
// their number, as do definitions and tables as goldmark finds them, see paragraph.go.
func newParser() parser.Parser {
	containers := func(p parser.BlockParser) parser.BlockParser { return bounded{p} }
	return parser.NewParser(parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(containers(parser.NewListParser()), 300),
		util.Prioritized(containers(parser.NewListItemParser()), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(containers(parser.NewBlockquoteParser()), 800),
		util.Prioritized(parser.NewHTMLBlockParser(), 900),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	))
}

// bounded opens no block deeper than deepest.
type bounded struct{ parser.BlockParser }

// Open opens the block that begins here, if it may.
func (b bounded) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		depth++
	}
	if _, item := parent.(*ast.List); depth > deepest && !item { // a list has items
		return nil, parser.NoChildren
	}
	return b.BlockParser.Open(parent, reader, pc)
}
