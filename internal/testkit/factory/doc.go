// Package factory makes the rows that tests need: companies, projects, indexed
// documents. It is for tests alone and works through the same queries as the product.
package factory
