package files

import (
	"crypto/rand"
	"time"

	"github.com/riverqueue/river"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/limits"
	"docqa/jobs/jobargs"
)

// The prefixes of the service's own objects, which hold the files of all companies.
const (
	IncomingPrefix = "incoming/"
	OwnPrefix      = "documents/"
)

// MetadataSuffix ends the key of the metadata that a client may PUT beside its upload.
const MetadataSuffix = ".metadata.json"

// UploadWindow is how long a client can PUT to the addresses of a reservation.
const UploadWindow = limits.PresignedUploadSeconds * time.Second

// UnclaimedAfter is when an object is removed that no document names by then.
const UnclaimedAfter = time.Hour

// IncomingKey returns a new key for an upload. It holds no id, so the address of the upload
// does not show whose it is.
func IncomingKey() string { return IncomingPrefix + rand.Text() }

// OwnKey returns a new key for a file of the document, which no client can write.
func OwnKey(d dbsqlc.Document) string {
	return OwnPrefix + d.CompanyID + "/" + d.DocumentID + "/" + rand.Text()
}

// KeysOf returns the objects that the document names: its file, the file that is to replace
// it, and the chunks that were read of it.
func KeysOf(d dbsqlc.Document) []string {
	var keys []string
	if d.ObjectKey != nil {
		keys = append(keys, *d.ObjectKey)
	}
	if d.Replacement != nil && d.Replacement.ObjectKey != nil {
		keys = append(keys, *d.Replacement.ObjectKey)
	}
	if d.Work != nil {
		keys = append(keys, d.Work.ObjectKey)
	}
	return keys
}

// Removals returns the jobs that remove objects of the document at a time; the zero time
// is now.
func Removals(d dbsqlc.Document, at time.Time, keys ...string) []river.InsertManyParams {
	jobs := make([]river.InsertManyParams, len(keys))
	for i, key := range keys {
		jobs[i].Args = jobargs.RemoveObject{CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Key: key}
		if !at.IsZero() {
			jobs[i].InsertOpts = &river.InsertOpts{ScheduledAt: at}
		}
	}
	return jobs
}

// UploadRemovals returns the jobs that remove what was PUT to the addresses of d's
// reservation: now, and again when the addresses have expired.
func UploadRemovals(d dbsqlc.Document, now time.Time) []river.InsertManyParams {
	keys := []string{*d.UploadKey, *d.UploadKey + MetadataSuffix}
	jobs := Removals(d, time.Time{}, keys...)
	if closes := d.CreatedAt.Add(UploadWindow + time.Minute); closes.After(now) {
		jobs = append(jobs, Removals(d, closes, keys...)...)
	}
	return jobs
}
