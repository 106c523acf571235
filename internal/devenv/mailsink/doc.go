// Package mailsink receives the mail that the service sends in development, and
// shows it: an SMTP server, a page, and the API GET /api/messages for tests.
//
// It delivers nothing and is open to every user of this machine. The last thousand messages
// stay on disk after a restart. Their content is not trusted: the page shows it as text or in
// a sandbox.
package mailsink
