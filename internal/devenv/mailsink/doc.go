// Package mailsink receives the mail that the service sends in development, and
// shows it: an SMTP server, a page, and the API GET /api/messages for tests.
//
// It delivers nothing and is open to everybody on this machine. The last thousand
// messages are kept on disk over restarts. What they hold is hostile: a page shows
// it as text, or walled off.
package mailsink
