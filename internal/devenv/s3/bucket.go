package s3

import (
	"context"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/cors"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"docqa/internal/devenv/loopback"
)

// prepareBucket makes the bucket and says which pages may use it.
func (s *Server) prepareBucket(ctx context.Context, opts Options) error {
	client, err := minio.New(loopback.Addr(s.port), &minio.Options{
		Creds:  credentials.NewStaticV4(s.AccessKey, s.SecretKey, ""),
		Region: region,
		// The caller repeats failed calls while the server starts.
		MaxRetries: 1,
	})
	if err != nil {
		return err
	}
	there, err := client.BucketExists(ctx, opts.Bucket)
	if err != nil {
		return err
	}
	if !there {
		if err := client.MakeBucket(ctx, opts.Bucket, minio.MakeBucketOptions{Region: region}); err != nil {
			return err
		}
	}
	if len(opts.Origins) == 0 {
		return client.SetBucketCors(ctx, opts.Bucket, nil)
	}
	return client.SetBucketCors(ctx, opts.Bucket, cors.NewConfig([]cors.Rule{{
		AllowedOrigin: opts.Origins,
		AllowedMethod: []string{"PUT", "GET", "HEAD", "POST"},
		AllowedHeader: []string{"*"},
		ExposeHeader:  []string{"ETag"},
		MaxAgeSeconds: 600,
	}}))
}
