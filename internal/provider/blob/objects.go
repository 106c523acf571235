package blob

import (
	"context"
	"io"
	"iter"
	"net/http"
	"net/url"
	"time"

	"github.com/minio/minio-go/v7"
)

// Info describes an object.
type Info struct {
	Size        int64 // bytes
	ETag        string
	ContentType string // as it was given when the object was stored
}

// PresignPut returns an address to which anybody may PUT the object until expires has passed.
// The address does not bound the size.
func (s *Store) PresignPut(ctx context.Context, key string, expires time.Duration) (string, error) {
	u, err := s.signer.Presign(ctx, http.MethodPut, s.bucket, key, expires, nil)
	if err != nil {
		return "", translate("presign an upload", err)
	}
	return u.String(), nil
}

// View says how a presigned GET shows the object. For an empty member the storage decides.
type View struct {
	ContentType string
	Disposition string // value of Content-Disposition
}

// PresignGet returns an address at which anybody may read the object until expires has passed.
func (s *Store) PresignGet(ctx context.Context, key string, expires time.Duration, view View) (string, error) {
	query := url.Values{}
	if view.ContentType != "" {
		query.Set("response-content-type", view.ContentType)
	}
	if view.Disposition != "" {
		query.Set("response-content-disposition", view.Disposition)
	}
	u, err := s.signer.Presign(ctx, http.MethodGet, s.bucket, key, expires, query)
	if err != nil {
		return "", translate("presign a download", err)
	}
	return u.String(), nil
}

// Stat describes the object. It returns ErrNotFound if there is none.
func (s *Store) Stat(ctx context.Context, key string) (Info, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	info, err := s.client.StatObject(ctx, s.bucket, key, minio.StatObjectOptions{})
	if err != nil {
		return Info{}, translate("look at an object", err)
	}
	return Info{Size: info.Size, ETag: info.ETag, ContentType: info.ContentType}, nil
}

// Copy copies the object within the bucket, up to 5 GB, without moving bytes through the
// service. It returns ErrNotFound if there is no object at from.
func (s *Store) Copy(ctx context.Context, from, to string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*callTimeout)
	defer cancel()
	_, err := s.client.CopyObject(ctx, minio.CopyDestOptions{Bucket: s.bucket, Object: to},
		minio.CopySrcOptions{Bucket: s.bucket, Object: from})
	return translate("copy an object", err)
}

// Get streams the object; the caller closes it. It returns ErrNotFound if there is none.
func (s *Store) Get(ctx context.Context, key string) (io.ReadCloser, error) {
	return s.get(ctx, key, minio.GetObjectOptions{})
}

// GetRange streams length bytes of the object from offset on, fewer if the object ends before
// that. The object must not be empty.
func (s *Store) GetRange(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	var opts minio.GetObjectOptions
	if err := opts.SetRange(offset, offset+length-1); err != nil {
		return nil, translate("read a part of an object", err)
	}
	return s.get(ctx, key, opts)
}

func (s *Store) get(ctx context.Context, key string, opts minio.GetObjectOptions) (io.ReadCloser, error) {
	body, _, _, err := s.core.GetObject(ctx, s.bucket, key, opts)
	if err != nil {
		return nil, translate("read an object", err)
	}
	return body, nil
}

// Put stores an object of size bytes. It is for files that the service itself makes.
func (s *Store) Put(ctx context.Context, key string, body io.Reader, size int64) error {
	_, err := s.client.PutObject(ctx, s.bucket, key, body, size, minio.PutObjectOptions{DisableMultipart: true})
	if again, ok := body.(io.Seeker); ok && minio.ToErrorResponse(err).Code == "BadRequest" {
		// The reused connection may still have held the rest of another request, so that the
		// server could not read this one. Try once more on a new connection.
		if _, err = again.Seek(0, io.SeekStart); err == nil {
			_, err = s.client.PutObject(ctx, s.bucket, key, body, size, minio.PutObjectOptions{DisableMultipart: true})
		}
	}
	return translate("store an object", err)
}

// Remove deletes the object. It is no error if the object does not exist.
func (s *Store) Remove(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return translate("remove an object", s.client.RemoveObject(ctx, s.bucket, key, minio.RemoveObjectOptions{}))
}

// Object is an object in a list.
type Object struct {
	Key string
	Info
}

// List returns the objects whose key begins with prefix and comes after the key after, in the
// order of their keys. It fetches a thousand at a time, while the caller iterates.
func (s *Store) List(ctx context.Context, prefix, after string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		opts := minio.ListObjectsOptions{Prefix: prefix, StartAfter: after, Recursive: true}
		for info := range s.client.ListObjects(ctx, s.bucket, opts) {
			if info.Err != nil {
				yield(Object{}, translate("list objects", info.Err))
				return
			}
			o := Object{Key: info.Key, Info: Info{Size: info.Size, ETag: info.ETag, ContentType: info.ContentType}}
			if !yield(o, nil) {
				return
			}
		}
	}
}
