// Package parse names the file formats that can be read, recognises them and says
// what can go wrong with them. The readers are its subpackages, package read picks one.
//
// It opens no file and starts no process. Its invariant: a format is accepted only
// when both the name and the first bytes allow it.
package parse
