package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// sample is how many bytes the statistical guess looks at.
const sample = 64 << 10

// Decode returns data as UTF-8: by its byte order mark, as UTF-8 where it is valid,
// by the meta element of an HTML page, else by the frequency of its bytes.
func Decode(data []byte, isHTML bool) string {
	return tidy(decode(data, isHTML))
}

func decode(data []byte, isHTML bool) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return string(data[3:])
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		return with(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), data)
	case utf16(data, 1):
		return with(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), data)
	case utf16(data, 0):
		return with(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), data)
	case utf8.Valid(data):
		return string(data)
	}
	if isHTML {
		if e, name, certain := charset.DetermineEncoding(data[:min(len(data), 1024)], ""); certain && name != "utf-8" {
			return with(e, data)
		}
	}
	return with(guess(data), data)
}

// utf16 tells whether nearly every byte at the odd (1) or even (0) places is zero.
func utf16(data []byte, odd int) bool {
	head := data[:min(len(data), 4096)]
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	pairs := len(head) / 2
	return pairs > 0 && zeros[odd]*10 > pairs*8 && zeros[1-odd] == 0
}

// guess is the encoding that the frequency of the bytes speaks for. Text that is
// UTF-8 but for a few bytes stays UTF-8.
func guess(data []byte) encoding.Encoding {
	if mostlyUTF8(data) {
		return nil
	}
	found := chardet.Detect(data[:min(len(data), sample)])
	if e, err := htmlindex.Get(found.Encoding); err == nil {
		return e
	}
	e, err := htmlindex.Get("windows-1252")
	if err != nil {
		return nil
	}
	return e
}

// mostlyUTF8 tells whether at most one in a hundred of the characters beyond ASCII
// is not valid, so that the file is damaged UTF-8 rather than another encoding.
func mostlyUTF8(data []byte) bool {
	good, bad := 0, 0
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		switch {
		case r == utf8.RuneError && size == 1:
			bad++
		case size > 1:
			good++
		}
		data = data[size:]
	}
	return good >= 100*bad
}

// with decodes data; nil stands for UTF-8.
func with(e encoding.Encoding, data []byte) string {
	if e == nil {
		return string(data)
	}
	out, _, err := transform.Bytes(e.NewDecoder(), data)
	if err != nil {
		return string(data)
	}
	return string(out)
}

// tidy makes text valid and drops zero bytes and the mark at its beginning. Line ends
// stay as they are, where \n ends them, and so do marks inside: spans count them.
func tidy(s string) string {
	s = strings.TrimPrefix(strings.ToValidUTF8(s, "\ufffd"), "\ufeff")
	if strings.Contains(s, "\r") && !strings.Contains(s, "\n") { // as lines ended once
		s = strings.ReplaceAll(s, "\r", "\n")
	}
	return strings.ReplaceAll(s, "\x00", "")
}
