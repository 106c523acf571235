package charset_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"docqa/internal/engine/parse/charset"
)

func TestDecode(t *testing.T) {
	t.Parallel()
	german := "Die Öffnungszeiten der größten Bäckerei ändern sich für die Gäste während der Feiertage."
	russian := strings.Repeat("Магазин открыт каждый день с девяти часов утра до восьми часов вечера. ", 3)
	chinese := strings.Repeat("今天的天气很好，我们一起去公园散步，然后在餐厅吃午饭。", 4)
	japaneseText := strings.Repeat("これは日本語の文章です。文字コードを判定するために十分な長さがあります。", 4)
	tests := []struct {
		name string
		enc  encoding.Encoding
		text string
	}{
		{"windows-1252", charmap.Windows1252, german},
		{"windows-1251", charmap.Windows1251, russian},
		{"gb18030", simplifiedchinese.GB18030, chinese},
		{"shift_jis", japanese.ShiftJIS, japaneseText},
		{"utf-16le with a mark", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), german},
		{"utf-16be with a mark", unicode.UTF16(unicode.BigEndian, unicode.UseBOM), german},
		{"utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), german},
		{"utf-8 with a mark", unicode.UTF8BOM, german},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			raw, err := tt.enc.NewEncoder().String(tt.text)
			require.NoError(t, err)
			require.Equal(t, tt.text, charset.Decode([]byte(raw), false))
		})
	}
}

func TestDecode_tidies(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a\r\nb\rc", charset.Decode([]byte("a\r\nb\rc\x00"), false))
	require.Equal(t, "a\nb\n", charset.Decode([]byte("a\rb\r"), false))
	page := "<meta charset=\"windows-1251\"><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>"
	require.Contains(t, charset.Decode([]byte(page), true), "Привет")
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "\xff\xfe", "\xfe\xffa", "a\x00b\x00", "\xef\xbb\xbf", "<meta charset=utf-7>\xff", "\x1b$B"} {
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, isHTML bool) {
		s := charset.Decode(data, isHTML)
		require.True(t, utf8.ValidString(s))
		require.NotContains(t, s, "\x00")
	})
}
