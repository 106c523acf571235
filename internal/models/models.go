// Package models holds the catalog of models that may write answers: what a client
// may choose, under the public ids it sees. How a model is called is the business of
// provider/llm.
//
// Source: main API section 2 (Project, chatModelArn).
package models

import "slices"

// Extractive is the id of the built-in model: it composes answers from sentences of
// the documents and needs nothing outside the service.
const Extractive = "extractive"

// Model is one entry of the catalog.
type Model struct {
	ID   string // public
	Name string
}

// Catalog is the list of curated models; the first one is the platform's default.
// It does not change after New.
type Catalog struct {
	list []Model
}

// BuiltIn returns the catalog with the built-in model alone.
func BuiltIn() *Catalog { return New(Model{ID: Extractive, Name: "Extractive"}) }

// New returns a catalog whose default is first.
func New(first Model, others ...Model) *Catalog {
	return &Catalog{list: append([]Model{first}, others...)}
}

// Default returns the id of the platform's default model.
func (c *Catalog) Default() string { return c.list[0].ID }

// Has tells whether id names a curated model.
func (c *Catalog) Has(id string) bool {
	return slices.ContainsFunc(c.list, func(m Model) bool { return m.ID == id })
}

// List returns the models, the default first.
func (c *Catalog) List() []Model { return slices.Clone(c.list) }
