package blob

import (
	"context"
	"fmt"
	"net/http"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/cors"
)

// EnsureBucket makes the bucket if it does not exist, and allows browsers on the given origins
// to read and write by presigned addresses. Without origins no browser may.
func (s *Store) EnsureBucket(ctx context.Context, origins []string) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	there, err := s.client.BucketExists(ctx, s.bucket)
	if err != nil {
		return fmt.Errorf("look for the bucket %s: %w", s.bucket, err)
	}
	if !there {
		err := s.client.MakeBucket(ctx, s.bucket, minio.MakeBucketOptions{Region: s.region})
		if code := minio.ToErrorResponse(err).Code; err != nil && code != minio.BucketAlreadyOwnedByYou && code != "BucketAlreadyExists" {
			return fmt.Errorf("make the bucket %s: %w", s.bucket, err)
		}
	}
	if len(origins) == 0 {
		return nil
	}
	rule := cors.Rule{
		AllowedOrigin: origins, AllowedMethod: []string{http.MethodGet, http.MethodPut, http.MethodHead},
		AllowedHeader: []string{"*"}, ExposeHeader: []string{"ETag"}, MaxAgeSeconds: 3600,
	}
	if err := s.client.SetBucketCors(ctx, s.bucket, cors.NewConfig([]cors.Rule{rule})); err != nil {
		return fmt.Errorf("let browsers use the bucket %s: %w", s.bucket, err)
	}
	return nil
}

// Ping tells whether the storage answers and holds the bucket.
func (s *Store) Ping(ctx context.Context) error {
	there, err := s.client.BucketExists(ctx, s.bucket)
	if err != nil {
		return fmt.Errorf("reach the storage: %w", err)
	}
	if !there {
		return fmt.Errorf("the bucket %s does not exist", s.bucket)
	}
	return nil
}
