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

// setup is what the parent writes to the child's standard input, and then keeps
// that open: its end is the end of the parent.
type setup struct {
	Dir       string `json:"dir"`
	Address   string `json:"address"`
	Region    string `json:"region"`
	AccessKey string `json:"accessKey"`
	SecretKey string `json:"secretKey"`
}

// Child serves as Start of the parent process wants it, until stdin ends. It
// changes the working folder of the process, so it is all that a process does.
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

// patience is how long a stop waits for the gateway, which itself waits ten seconds for
// connections that clients keep open and do not use. Nothing is lost: an object is there
// whole or not at all.
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
		// Beyond what one machine's clients open at once.
		MaxConnections:    4096,
		MaxRequests:       1024,
		MultipartMaxParts: 10_000,
		KeepAlive:         true,
		Quiet:             true,
		DisableACLs:       true,
	})
}

// maxCopy is the largest object that one call copies, as S3 has it: without it the
// server copies nothing.
const maxCopy = 5 << 30

// open keeps metadata in extended attributes, or in files beside the objects where
// the file system has none; a folder that began with one goes on with it.
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
