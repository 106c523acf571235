package rank

// Names are the features' names, in their order.
func Names() []string {
	return []string{
		"words", "words_behind", "words_rank", "meaning", "meaning_behind", "meaning_rank", "fused", "fused_behind",
		"covered", "body", "headings", "title", "title_behind", "names", "numbers", "rarest", "earlier", "pairs", "run", "near", "near_behind", "row",
		"sentence", "sentence_behind", "second", "sentences", "length", "table", "figures", "neighbours", "document", "document_share", "first",
	}
}
