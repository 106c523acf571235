package signinflow

import (
	"bytes"
	"errors"
	"net/url"

	"golang.org/x/net/html"
)

// form is a sign-in form: the address to which it is sent, its preset values, and the names of
// its two fields.
type form struct {
	action          string
	values          url.Values
	email, password string
}

// findForm returns the form of the page that asks for a password.
func findForm(page []byte) (form, error) {
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return form{}, err
	}
	for node := range root.Descendants() {
		if node.Type != html.ElementNode || node.Data != "form" {
			continue
		}
		if found := readForm(node); found.password != "" && found.email != "" {
			return found, nil
		}
	}
	return form{}, errors.New("the page has no sign-in form")
}

func readForm(node *html.Node) form {
	found := form{action: attribute(node, "action"), values: url.Values{}}
	for input := range node.Descendants() {
		if input.Type != html.ElementNode || input.Data != "input" {
			continue
		}
		name := attribute(input, "name")
		switch attribute(input, "type") {
		case "hidden":
			found.values.Set(name, attribute(input, "value"))
		case "password":
			found.password = name
		case "email", "text", "":
			if found.email == "" {
				found.email = name
			}
		}
	}
	return found
}

func attribute(node *html.Node, name string) string {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
