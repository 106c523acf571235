package answer

import (
	"docqa/internal/engine/markup"
	"docqa/internal/engine/statement"
)

// asksForAddress reports whether the question asks where something is on the web.
func (x *question) asksForAddress() bool {
	return x.expected == aPlace || containsAny(x.text, []string{
		"url", "link", "address", "website", "web site", "web page", "webpage", "download", "adresse", "dirección", "enlace", "lien", "indirizzo", "адрес",
	})
}

// showAddresses adds the addresses of links to the statements if the question asks for one.
func (x *question) showAddresses(passages []Passage, chosen []quotation) {
	if !x.asksForAddress() {
		return
	}
	for i := range chosen {
		s := &chosen[i]
		if p := &passages[s.passage]; p.Marks.Markdown && s.Kind != statement.Code {
			s.text = markup.WithAddresses(s.text, p.Text[s.Start:s.End])
		}
	}
}
