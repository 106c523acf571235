// Package origin reads browser origins: those that projects allow, and those that requests
// send. Both are read by Parse, so that comparing two strings is enough.
//
// Source: main API section 2 (Project, allowedOrigins).
package origin

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

var errForm = errors.New("must be https://host[:port] or http://localhost[:port]")

// Parse returns the canonical form of an origin that a project may allow:
// `https://host[:port]` or `http://localhost[:port]`, with the host in lower case and without
// the scheme's default port, as browsers send it. Wildcards, paths and names that are not
// ASCII (browsers send them encoded) are errors.
func Parse(s string) (string, error) {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || u.Path != "" || u.RawQuery != "" || u.ForceQuery ||
		strings.ContainsAny(s, "#*") {
		return "", errForm
	}
	host, scheme := strings.ToLower(u.Hostname()), strings.ToLower(u.Scheme)
	if !validHost(host, u.Host) || scheme != "https" && (scheme != "http" || host != "localhost") {
		return "", errForm
	}
	port, err := portOf(u, scheme)
	if err != nil {
		return "", err
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return scheme + "://" + host + port, nil
}

// portOf returns ":port", or "" for the scheme's default port.
func portOf(u *url.URL, scheme string) (string, error) {
	if u.Port() == "" {
		if strings.HasSuffix(u.Host, ":") {
			return "", errForm
		}
		return "", nil
	}
	n, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil || n == 0 {
		return "", errForm
	}
	if scheme == "https" && n == 443 || scheme == "http" && n == 80 {
		return "", nil
	}
	return ":" + strconv.FormatUint(n, 10), nil
}

func validHost(host, written string) bool {
	if strings.HasPrefix(written, "[") {
		a, err := netip.ParseAddr(host)
		return err == nil && a.Is6() && a.Zone() == ""
	}
	if len(host) > 253 {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if !validLabel(label) {
			return false
		}
	}
	return true
}

func validLabel(label string) bool {
	if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
		return false
	}
	for i := range len(label) {
		c := label[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}
