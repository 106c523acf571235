package projects

import (
	"fmt"
	"net/mail"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/column"
	"docqa/internal/platform/limits"
	"docqa/internal/platform/names"
	"docqa/internal/platform/origin"
)

const leadFieldMaxLength = 5000

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// cleanOrigins returns the canonical origins without repeats; never nil.
//
// Source: main API section 2 (Project, allowedOrigins).
func cleanOrigins(sent []string) ([]string, error) {
	if len(sent) > limits.AllowedOrigins {
		return nil, apperr.Validation("/allowedOrigins", fmt.Sprintf("must not have more than %d entries", limits.AllowedOrigins))
	}
	list := make([]string, 0, len(sent))
	for i, s := range sent {
		o, err := origin.Parse(s)
		if err != nil {
			return nil, apperr.Validation(fmt.Sprintf("/allowedOrigins/%d", i), err.Error())
		}
		if !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	return list, nil
}

// cleanAddresses returns the canonical addresses and networks without repeats; never nil.
func cleanAddresses(sent []string) ([]string, error) {
	if err := entries("ipAllowlist", len(sent)); err != nil {
		return nil, err
	}
	list := make([]string, 0, len(sent))
	for i, s := range sent {
		entry, ok := cleanAddress(s)
		if !ok {
			return nil, apperr.Validation(fmt.Sprintf("/settings/ipAllowlist/%d", i), "must be an IPv4 or IPv6 address or a CIDR range")
		}
		if !slices.Contains(list, entry) {
			list = append(list, entry)
		}
	}
	return list, nil
}

func cleanAddress(s string) (string, bool) {
	if a, err := netip.ParseAddr(s); err == nil && a.Zone() == "" {
		return a.Unmap().String(), true
	}
	if p, err := netip.ParsePrefix(s); err == nil && !p.Addr().Is4In6() {
		return p.Masked().String(), true
	}
	return "", false
}

func checkEmail(path string, v Text) error {
	if v.Value == nil {
		return nil
	}
	s := *v.Value
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s || a.Name != "" || len(s) > limits.EmailCharacters || !isPrintableASCII(s) {
		return apperr.Validation(path, "must be an e-mail address")
	}
	return nil
}

func isPrintableASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}

// cleanLeadFields checks the custom fields of the lead form. It does not check how many the
// plan allows. Never nil.
//
// Gap: main API section 2 shows no shape; docs/decisions.md#lead-form-fields.
func cleanLeadFields(sent column.LeadFormFields) (column.LeadFormFields, error) {
	key := regexp.MustCompile(`^[a-z][a-zA-Z0-9]{0,39}$`)
	fields := make(column.LeadFormFields, 0, len(sent))
	for i, f := range sent {
		at := fmt.Sprintf("/leadFormFields/%d/", i)
		if !key.MatchString(f.Key) {
			return nil, apperr.Validation(at+"key", "must be a lower-case letter and up to 39 letters and digits")
		}
		if slices.ContainsFunc(fields, func(other column.LeadFormField) bool { return other.Key == f.Key }) {
			return nil, apperr.Validation(at+"key", "is the key of another field")
		}
		clean, err := cleanLeadField(at, f)
		if err != nil {
			return nil, err
		}
		fields = append(fields, clean)
	}
	return fields, nil
}

func cleanLeadField(at string, f column.LeadFormField) (_ column.LeadFormField, err error) {
	if f.Label, err = names.Name(at+"label", f.Label, 80); err != nil {
		return f, err
	}
	if f.MaxLength < 0 || f.MaxLength > leadFieldMaxLength {
		return f, apperr.Validation(at+"maxLength", fmt.Sprintf("must be from 1 to %d", leadFieldMaxLength))
	}
	err = first(
		oneOf(at+"type", &f.Type, "text", "email", "phone", "number", "select", "checkbox", "textarea"),
		text(at+"placeholder", &f.Placeholder, 200),
	)
	if err != nil {
		return f, err
	}
	if f.Type != "select" {
		if len(f.Options) > 0 {
			return f, apperr.Validation(at+"options", "belong to a select alone")
		}
		return f, nil
	}
	if len(f.Options) < 2 || len(f.Options) > 20 {
		return f, apperr.Validation(at+"options", "must be 2 to 20")
	}
	options := make([]string, len(f.Options))
	for i, option := range f.Options {
		if options[i], err = names.Name(fmt.Sprintf("%soptions/%d", at, i), option, 80); err != nil {
			return f, err
		}
		if slices.Contains(options[:i], options[i]) {
			return f, apperr.Validation(fmt.Sprintf("%soptions/%d", at, i), "stands twice")
		}
	}
	f.Options = options
	return f, nil
}
