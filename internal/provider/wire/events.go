package wire

import (
	"bufio"
	"bytes"
	"io"
)

const eventBytes = 1 << 20

// Events calls each for the data of every server-sent event of r until r ends. It fails if r
// breaks off, if an event is too long, or if each fails.
func Events(r io.Reader, each func(data []byte) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, eventBytes)
	var data []byte
	for lines.Scan() {
		line := lines.Bytes()
		if field, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			if len(data)+len(field) > eventBytes {
				return Malformed("an event is too long")
			}
			if len(data) > 0 {
				data = append(data, '\n')
			}
			data = append(data, bytes.TrimPrefix(field, []byte(" "))...)
			continue
		}
		if len(line) > 0 || len(data) == 0 {
			continue // a name, a comment, or an event without data
		}
		if err := each(data); err != nil {
			return err
		}
		data = data[:0]
	}
	if err := lines.Err(); err != nil {
		return Broken(err)
	}
	if len(data) > 0 {
		return each(data)
	}
	return nil
}
