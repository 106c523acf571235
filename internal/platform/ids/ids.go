package ids

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Prefixes of the ids, one per kind of resource.
const (
	Activity      = "act"
	Chunk         = "chk"
	Company       = "cmp"
	Conversation  = "cnv"
	Connection    = "con"
	CrawlSource   = "crl"
	Delivery      = "dlv"
	Deployment    = "dep"
	Document      = "doc"
	Event         = "evt"
	ExtractJob    = "ext"
	Integration   = "int"
	Invoice       = "inv"
	Job           = "job"
	Key           = "key"
	Lead          = "led"
	Message       = "msg"
	Project       = "prj"
	Request       = "req"
	Session       = "ses"
	Source        = "src"
	TestPrompt    = "tpr"
	TestRun       = "trn"
	Ticket        = "tkt"
	User          = "usr"
	Version       = "ver"
	Visitor       = "vis"
	encodedLength = 26
	alphabet      = "0123456789abcdefghjkmnpqrstvwxyz"
)

// New returns a new id of the kind that prefix names. It panics only if the operating system
// provides no randomness.
func New(prefix string) string {
	u := uuid.Must(uuid.NewV7())
	return prefix + "_" + base32.NewEncoding(alphabet).WithPadding(base32.NoPadding).EncodeToString(u[:])
}

// Derived returns an id of the kind that prefix names, made from text: the same text always
// gives the same id.
func Derived(prefix, text string) string {
	sum := sha256.Sum256([]byte(text))
	return prefix + "_" + base32.NewEncoding(alphabet).WithPadding(base32.NoPadding).EncodeToString(sum[:16])
}

// Keyed is Derived for a text that is confidential or could be guessed: without the key nobody
// can make the id from the text, or learn the text from the id.
func Keyed(prefix string, key []byte, text string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(prefix + "\x00" + text))
	return prefix + "_" + base32.NewEncoding(alphabet).WithPadding(base32.NoPadding).EncodeToString(h.Sum(nil)[:16])
}

// Time returns when New made an id. For an id that New did not make, the result means nothing.
func Time(id string) time.Time {
	_, body, _ := strings.Cut(id, "_")
	u, err := base32.NewEncoding(alphabet).WithPadding(base32.NoPadding).DecodeString(body)
	if err != nil || len(u) < 6 {
		return time.Time{}
	}
	return time.UnixMilli(int64(binary.BigEndian.Uint64(append([]byte{0, 0}, u[:6]...))))
}

// Suffix returns four random characters of the same alphabet. It makes two slugs of the same
// name different.
func Suffix() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails: it ends the program instead
	for i := range b {
		b[i] = alphabet[b[i]%byte(len(alphabet))]
	}
	return string(b[:])
}

// Valid tells whether s has the form of an id of the kind that prefix names.
func Valid(prefix, s string) bool {
	body, ok := strings.CutPrefix(s, prefix+"_")
	if !ok || len(body) != encodedLength {
		return false
	}
	for i := range len(body) {
		c := body[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}
