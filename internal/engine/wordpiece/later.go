package wordpiece

import (
	"strconv"
	"strings"
	"unicode"
)

// later lists the code points that became marks, formats or punctuation after Unicode 8. For
// the reference they are ordinary characters.
const later = `
061d 07fd 0890-0891 0898-089f 08ca-08e2 09fd-09fe 0a76 0afa-0aff 0b55 0c04 0c3c 0c77 0c84 0d00 0d3b-0d3c 0d81
0eba 0ece 180f 1885-1886 1abf-1ace 1b7d-1b7e 1df6-1dfb 2e43-2e4f 2e52-2e5d a82c a8c5 a8ff a9bd 10d24-10d27
10eab-10ead 10efd-10eff 10f46-10f50 10f55-10f59 10f82-10f89 11070 11073-11074 110c2 110cd 111c9 111cf 1123e
11241 1133b 11438-1143f 11442-11444 11446 1144b-1144f 1145a-1145b 1145d-1145e 11660-1166c 116b9 1182f-11837
11839-1183b 1193b-1193c 1193e 11943-11946 119d4-119d7 119da-119db 119e0 119e2 11a01-11a0a 11a33-11a38
11a3b-11a47 11a51-11a56 11a59-11a5b 11a8a-11a96 11a98-11a9c 11a9e-11aa2 11b00-11b09 11c30-11c36 11c38-11c3d
11c3f 11c41-11c45 11c70-11c71 11c92-11ca7 11caa-11cb0 11cb2-11cb3 11cb5-11cb6 11d31-11d36 11d3a 11d3c-11d3d
11d3f-11d45 11d47 11d90-11d91 11d95 11d97 11ef3-11ef4 11ef7-11ef8 11f00-11f01 11f36-11f3a 11f40 11f42-11f4f
11fff 12ff1-12ff2 13430-13440 13447-13455 16e97-16e9a 16f4f 16fe2 16fe4 1cf00-1cf2d 1cf30-1cf46 1e000-1e006
1e008-1e018 1e01b-1e021 1e023-1e024 1e026-1e02a 1e08f 1e130-1e136 1e2ae 1e2ec-1e2ef 1e4ec-1e4ef 1e944-1e94a
1e95e-1e95f`

// laterRunes makes a table of the list.
func laterRunes() *unicode.RangeTable {
	table := &unicode.RangeTable{}
	for entry := range strings.FieldsSeq(later) {
		from, to, _ := strings.Cut(entry, "-")
		lo, hi := codePoint(from), codePoint(from)
		if to != "" {
			hi = codePoint(to)
		}
		if hi <= 0xffff {
			table.R16 = append(table.R16, unicode.Range16{Lo: uint16(lo), Hi: uint16(hi), Stride: 1})
		} else {
			table.R32 = append(table.R32, unicode.Range32{Lo: lo, Hi: hi, Stride: 1})
		}
	}
	return table
}

// codePoint reads a code point of the list. The test over all code points finds a wrong one.
func codePoint(hex string) uint32 {
	n, _ := strconv.ParseUint(hex, 16, 32)
	return uint32(n)
}
