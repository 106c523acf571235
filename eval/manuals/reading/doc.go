// Package reading measures how much of the visible text of HTML manuals is indexed, and how much of what is indexed is not text of
// the article.
//
// What the article is, the generators of the manuals say, by elements and classes that they write; nothing of it is asked of the
// reader that is measured.
package reading
