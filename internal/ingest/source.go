package ingest

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"docqa/internal/documents/files"
	"docqa/internal/engine/parse"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/column"
	"docqa/internal/provider/blob"
)

// Source is a document that a rag client sends. Exactly one of Text, URL and ObjectKey must be
// set; it is the content or says where the content is.
type Source struct {
	ID           string // the caller's id; empty: the document is known by ours
	Title        string
	Text         string
	URL          string
	ObjectKey    string
	ContentType  string // of an object or text; empty: the name or the bucket decides
	Metadata     column.Metadata
	ChunkSize    *int32 // characters
	ChunkOverlap *int32 // characters, below half of the size
}

// defaultChunkSize is the chunk size, in characters, for an overlap that comes without a size. It
// is about the default of engine/chunk in English.
const defaultChunkSize = 1000

// CheckForm checks the rules that the contract's schema cannot express. The paths in its errors
// begin with at.
//
// Source: retrieval API, RagDocumentInput.
func (in *Source) CheckForm(at string) error {
	in.Title = strings.TrimSpace(in.Title)
	switch {
	case in.Title == "":
		return apperr.Validation(at+"/title", "must not be empty")
	case strings.ContainsFunc(in.Title, unicode.IsControl):
		return apperr.Validation(at+"/title", "must not hold control characters")
	case in.ChunkOverlap != nil && 2**in.ChunkOverlap >= in.chunkSize():
		return apperr.Validation(at+"/chunking/overlap", "must be below half of the size")
	case strings.ContainsRune(in.Text, 0):
		return apperr.Validation(at+"/text", "must not hold NUL")
	}
	for key, value := range in.Metadata {
		if text, ok := value.(string); strings.ContainsRune(key, 0) || ok && strings.ContainsRune(text, 0) {
			return apperr.Validation(at+"/metadata", "must not hold NUL")
		}
	}
	return nil
}

func (in *Source) chunkSize() int32 {
	if in.ChunkSize != nil {
		return *in.ChunkSize
	}
	return defaultChunkSize
}

// Content is the validated content of a source that is not stored yet.
type Content struct {
	File column.DocumentFile
	Copy func(ctx context.Context, key string) error // copies it to a key of ours; nil for a page, which the worker fetches
}

// ValidateSource checks a source and returns its content. It calls the bucket and the name server
// and changes nothing. Error: apperr.Invalid with validation_error, url_not_allowed, invalid_url,
// object_missing, object_empty, object_too_large or unsupported_format.
func (s *Service) ValidateSource(ctx context.Context, in *Source) (Content, error) {
	c := Content{File: column.DocumentFile{
		Title: in.Title, Metadata: in.Metadata, ChunkSize: in.ChunkSize, ChunkOverlap: in.ChunkOverlap,
	}}
	if c.File.Metadata == nil {
		c.File.Metadata = column.Metadata{}
	}
	var err error
	switch in.kinds() {
	case "text":
		err = s.validateText(in, &c)
	case "url":
		err = s.validateURL(ctx, in, &c)
	case "object":
		err = s.validateObject(ctx, in, &c)
	default:
		err = apperr.Validation("", "exactly one of text, url and objectKey must be there")
	}
	return c, err
}

// kinds names the members that hold or name the content.
func (in *Source) kinds() string {
	var list []string
	for _, kind := range []struct{ name, value string }{{"text", in.Text}, {"url", in.URL}, {"object", in.ObjectKey}} {
		if kind.value != "" {
			list = append(list, kind.name)
		}
	}
	return strings.Join(list, " ")
}

func (s *Service) validateText(in *Source, c *Content) error {
	contentType := in.ContentType
	if contentType == "" {
		contentType = "text/plain"
	}
	format, err := s.Formats.Named("", contentType)
	if err == nil {
		format, err = s.Formats.Sniff("", contentType, []byte(in.Text[:min(len(in.Text), parse.HeadBytes)]))
	}
	if err != nil {
		return err
	}
	c.File.Format, c.File.ContentType, c.File.SizeBytes = string(format), files.ContentType(format), int64(len(in.Text))
	name := in.ID
	if name == "" {
		name = in.Title
	}
	c.File.Filename = files.Name(name, format)
	c.Copy = func(ctx context.Context, key string) error {
		return s.Objects.Put(ctx, key, strings.NewReader(in.Text), int64(len(in.Text)))
	}
	return nil
}

func (s *Service) validateURL(ctx context.Context, in *Source, c *Content) error {
	if err := s.Pages.CheckPage(ctx, in.URL); err != nil {
		return err
	}
	// The format is known only when the page was fetched. Until then it is HTML.
	c.File.SourceURL, c.File.Filename = &in.URL, files.PageName(in.URL, parse.HTML)
	c.File.Format, c.File.ContentType = string(parse.HTML), files.ContentType(parse.HTML)
	return nil
}

func (s *Service) validateObject(ctx context.Context, in *Source, c *Content) error {
	if !s.isShared(in.ObjectKey) {
		return apperr.Invalid(apperr.CodeObjectMissing, "there is no such object")
	}
	info, err := s.Objects.Stat(ctx, in.ObjectKey)
	if errors.Is(err, blob.ErrNotFound) {
		return apperr.Invalid(apperr.CodeObjectMissing, "there is no such object")
	}
	if err != nil {
		return err
	}
	if err := files.CheckSize(info.Size); err != nil {
		return err
	}
	name, contentType := files.BaseName(in.ObjectKey), in.ContentType
	var format parse.Format
	if contentType != "" {
		format, err = s.Formats.Named("", contentType)
	} else {
		format, err = s.Formats.Named(name, info.ContentType)
	}
	if err != nil {
		return err
	}
	if format, err = s.sniffObject(ctx, in.ObjectKey, info.Size, format); err != nil {
		return err
	}
	c.File.Format, c.File.ContentType, c.File.SizeBytes = string(format), files.ContentType(format), info.Size
	c.File.Filename = files.Name(name, format)
	c.Copy = func(ctx context.Context, key string) error {
		err := s.Objects.Copy(ctx, in.ObjectKey, key)
		if errors.Is(err, blob.ErrNotFound) {
			return apperr.Invalid(apperr.CodeObjectMissing, "there is no such object")
		}
		return err
	}
	return nil
}

// sniffObject compares an object's first bytes with its declared format.
func (s *Service) sniffObject(ctx context.Context, key string, size int64, said parse.Format) (parse.Format, error) {
	head, err := files.Head(ctx, s.Objects, key, size)
	if err != nil {
		return "", err
	}
	return s.Formats.Sniff("", files.ContentType(said), head)
}

// isShared tells whether a rag client may name the object: it must be below the operator's prefix,
// and not among our own objects, which hold files of all companies.
func (s *Service) isShared(key string) bool {
	if s.SharedPrefix == "" || !strings.HasPrefix(key, s.SharedPrefix) || len(key) == len(s.SharedPrefix) || !utf8.ValidString(key) {
		return false
	}
	for _, own := range []string{files.OwnPrefix, files.IncomingPrefix} {
		if strings.HasPrefix(key, own) || strings.HasPrefix(own, key) {
			return false
		}
	}
	for part := range strings.SplitSeq(key, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return !strings.ContainsFunc(key, func(r rune) bool { return r == '\\' || unicode.IsControl(r) })
}

// StoreContent copies the content to a key of ours. The caller has inserted the job that removes
// the object if no document names it later.
func (s *Service) StoreContent(ctx context.Context, c *Content, key string) error {
	if err := c.Copy(ctx, key); err != nil {
		return err
	}
	info, err := s.Objects.Stat(ctx, key)
	if err != nil {
		return err
	}
	if err := files.CheckSize(info.Size); err != nil { // the object may have changed meanwhile
		return err
	}
	c.File.ObjectKey, c.File.ObjectETag, c.File.SizeBytes = &key, &info.ETag, info.Size
	return nil
}
