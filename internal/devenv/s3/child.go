package s3

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

// setup is what the parent writes to the child's standard input. The parent keeps the
// input open; when it closes, the parent has ended.
type setup struct {
	Dir       string `json:"dir"`
	Address   string `json:"address"`
	Region    string `json:"region"`
	AccessKey string `json:"accessKey"`
	SecretKey string `json:"secretKey"`
}

// Child serves what Start of the parent process asked for, until stdin ends. It changes
// the working folder, so the process must do nothing else.
func Child(ctx context.Context, stdin io.Reader) error {
	var want setup
	input := json.NewDecoder(stdin)
	if err := input.Decode(&want); err != nil {
		return fmt.Errorf("reading the set-up: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, stdin)
		cancel()
	}()
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, want) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
		return nil
	}
}

// patience is how long a stop waits for the gateway, which waits ten seconds for idle
// connections. After that the process ends. No object is damaged: an object is stored
// completely or not at all.
const patience = time.Second

func serve(ctx context.Context, want setup) error {
	storage, err := open(want.Dir)
	if err != nil {
		return err
	}
	return embedgw.RunVersityGW(ctx, storage, &embedgw.Config{
		RootUserAccess: want.AccessKey,
		RootUserSecret: want.SecretKey,
		Region:         want.Region,
		Ports:          []string{want.Address},
		// More than the clients of one machine open at once.
		MaxConnections:    4096,
		MaxRequests:       1024,
		MultipartMaxParts: 10_000,
		KeepAlive:         true,
		Quiet:             true,
		DisableACLs:       true,
	})
}

// maxCopy is the largest object that one call copies, as in S3. Without this setting the
// server copies nothing.
const maxCopy = 5 << 30

// open stores metadata in extended attributes, or in files beside the objects if the file
// system has no attributes. A folder keeps the way with which it began.
func open(dir string) (*posix.Posix, error) {
	objects, beside := filepath.Join(dir, "objects"), filepath.Join(dir, "metadata")
	if err := os.MkdirAll(objects, 0o700); err != nil {
		return nil, err
	}
	_, err := os.Stat(beside)
	if errors.Is(err, fs.ErrNotExist) && (meta.XattrMeta{}).Test(objects) == nil {
		return posix.New(objects, meta.XattrMeta{}, posix.PosixOpts{CopyObjectThreshold: maxCopy})
	}
	if err := os.MkdirAll(beside, 0o700); err != nil {
		return nil, err
	}
	files, err := meta.NewSideCar(beside)
	if err != nil {
		return nil, err
	}
	return posix.New(objects, files, posix.PosixOpts{SideCarDir: beside, CopyObjectThreshold: maxCopy})
}
