package edge

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
)

// requestInfo is what the steps know of one request, without its body. ServeHTTP makes it
// and later steps fill it, all in the request's own goroutine.
type requestInfo struct {
	id      string
	ip      netip.Addr
	origin  string
	path    string
	op      operation
	header  http.Header // of the response
	project *dbsqlc.Project
	code    apperr.Code // of the error that was answered
	cause   error       // of a 5xx, for the log

	principal  authn.Principal // zero until a credential was accepted
	classifier Classifier      // for errors after the first byte of a stream
}

type infoKey struct{}

func withInfo(ctx context.Context, info *requestInfo) context.Context {
	return context.WithValue(ctx, infoKey{}, info)
}

// infoFrom returns the info in ctx, or an empty one.
func infoFrom(ctx context.Context) *requestInfo {
	if info, ok := ctx.Value(infoKey{}).(*requestInfo); ok {
		return info
	}
	return &requestInfo{header: http.Header{}}
}

// Project returns the project that the request's path or credential names. The gate or
// the guard has loaded it and checked that it belongs to the caller's company. Project
// returns apperr.NotFound if the request names no project.
func Project(ctx context.Context) (dbsqlc.Project, error) {
	if p := infoFrom(ctx).project; p != nil {
		return *p, nil
	}
	return dbsqlc.Project{}, apperr.NotFound()
}

// RequestID returns the id of the request.
func RequestID(ctx context.Context) string { return infoFrom(ctx).id }

// SetProject sets the project of a request that names it in its body.
func SetProject(ctx context.Context, p *dbsqlc.Project) { infoFrom(ctx).project = p }

// clientIP returns the caller's address. With n trusted proxies it is the n-th entry from
// the end of X-Forwarded-For: the client itself may have written the entries before it. A
// request with fewer entries did not come through all proxies; then clientIP returns the
// address of the connection.
func clientIP(r *http.Request, trustedProxies int) netip.Addr {
	peer := parseIP(r.RemoteAddr)
	if trustedProxies <= 0 {
		return peer
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	if len(hops) < trustedProxies {
		return peer
	}
	if ip := parseIP(strings.TrimSpace(hops[len(hops)-trustedProxies])); ip.IsValid() {
		return ip
	}
	return peer
}

func parseIP(s string) netip.Addr {
	if host, _, err := net.SplitHostPort(s); err == nil {
		s = host
	}
	ip, err := netip.ParseAddr(strings.Trim(s, "[]"))
	if err != nil {
		return netip.Addr{}
	}
	return ip.Unmap().WithZone("")
}

// ipBucket names the bucket of an address: each IPv4 address has one, and each /64 of
// IPv6, since one customer usually gets a whole /64.
func ipBucket(ip netip.Addr) string {
	if ip.Is6() {
		if p, err := ip.Prefix(64); err == nil {
			return p.String()
		}
	}
	return ip.String()
}

// Replayed sets the header Idempotency-Replayed if is: the answer is then the one to an
// earlier request with the same Idempotency-Key.
func Replayed(ctx context.Context, is bool) {
	if is {
		infoFrom(ctx).header.Set("Idempotency-Replayed", "true")
	}
}
