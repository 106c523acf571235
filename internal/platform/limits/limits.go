package limits

import "strconv"

// Limits on what a client may send or store.
const (
	BodyBytes              = 1 << 20 // JSON body
	DocumentBytes          = 50 << 20
	DocumentPages          = 2000
	AllowedOrigins         = 50
	IPAllowlist            = 100
	QuestionCharacters     = 1000 // default of the limit that a project sets
	BatchIngestDocuments   = 50
	PresignedUploadSeconds = 900
	ShareTokenSeconds      = 900
	VisitorIDCharacters    = 128
	URLCharacters          = 2048
	EmailCharacters        = 254
)

// PageSize reads a page size leniently: a text that is no positive number becomes def, a
// number above limit becomes limit.
//
// Source: main API sections 4.5, 4.11, 4.12.
func PageSize(s string, def, limit int) int32 {
	n, err := strconv.Atoi(s)
	switch {
	case err != nil && len(s) > 9 && allDigits(s):
		n = limit
	case err != nil || n <= 0:
		n = def
	}
	return int32(min(n, limit))
}

func allDigits(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
