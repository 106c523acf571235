package grounded_test

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// allowed are the addresses that the passages, the question or the organisation hold.
func allowed() []string {
	return []string{
		"https://shop.example/register", "https://docs.example/list", "www.code.example/docs", "mailto:help@acme.example", "https://asked.example/q",
		"https://help.acme.example/start",
	}
}

// TestModel_noRendererMakesLinks renders answers as the web does, with links of bare addresses and
// with the HTML that they hold.
func TestModel_noRendererMakesLinks(t *testing.T) {
	t.Parallel()
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	target := regexp.MustCompile(`(?is)<(?:a|img|script|iframe|form|link|object|embed)\b[^>]*?\s(?:href|src|action|data)\s*=\s*["']?([^"'>\s]+)|<(?:script|iframe|style|svg)\b|<[a-z]+\s[^>]*\son\w+\s*=`)
	parts := []string{
		"https://evil.example/x", "http://", "https:", "//evil.example/", "www.evil.example", "evil@evil.example", "mailto:", "[a]", "(https://evil.example/y)", "](", ")",
		"[", "]", "![", "`", "``", "```", "\n```\n", "\n", "\n\n", "> ", "- ", "    ", "<a href=", "<img src=", "\"", "'", ">", "<", "</a>", "<script>", "<!--", "-->", "[x]: ",
		"javascript:alert(1)", "<javascript:alert(1)>", "<https://evil.example/z>", " ", " ", "word", "[1]", "[9]", "|", "| a | b |\n|---|---|\n", "\\", "*", "**", "~~~\n", "&#104;ttps://evil.example/e",
		"onerror=alert(1)", "<b", "<sup>1</sup>", "¹", "1. ", "<think>", "</think>", "onclick=x", "ftp://evil.example/f", "&colon;", "\t",
	}
	for seed := range uint64(2_000) {
		r := rand.New(rand.NewPCG(seed, 7))
		var said strings.Builder
		said.WriteString("The warranty lasts 24 months [1]. ")
		for range 1 + r.IntN(12) {
			said.WriteString(parts[r.IntN(len(parts))])
		}
		text := replyOf(t, said.String())
		var page bytes.Buffer
		require.NoError(t, md.Convert([]byte(text), &page))
		for _, m := range target.FindAllStringSubmatch(page.String(), -1) {
			held := false
			for _, a := range allowed() {
				held = held || m[1] != "" && strings.TrimPrefix(m[1], "http://") == a || m[1] == a
			}
			require.True(t, held, "seed %d: %q became %q, rendered %s", seed, said.String(), text, page.String())
		}
	}
}

// replyOf returns the answer that is made of a reply.
func replyOf(t *testing.T, said string) string {
	t.Helper()
	return reply(t, manual(), said).Text
}
