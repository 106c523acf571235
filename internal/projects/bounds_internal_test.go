package projects

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/openapi"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/column"
	"docqa/internal/platform/limits"
)

// member is a member of the contract's settings.
type member struct {
	Ref           string `json:"$ref"`
	Type          any
	Properties    map[string]member
	Enum          []string
	Items         *member
	Minimum       *float64
	Maximum       *float64
	MinLength     *float64
	MaxLength     *float64
	MaxItems      *float64
	MaxProperties *float64
}

// bounds are those that the contract states; ok is false where it states none.
func (m *member) bounds() (b limits.Bounds, ok bool) {
	for _, minimum := range []*float64{m.Minimum, m.MinLength} {
		if minimum != nil {
			b.Min = *minimum
		}
	}
	for _, maximum := range []*float64{m.Maximum, m.MaxLength, m.MaxItems, m.MaxProperties} {
		if maximum != nil {
			b.Max, ok = *maximum, true
		}
	}
	return b, ok
}

// contractSettings returns the members of the settings that the published contract lets
// clients send, by their path.
func contractSettings(t *testing.T) map[string]member {
	t.Helper()
	data, err := openapi.Files.ReadFile("main.json")
	require.NoError(t, err)
	var doc struct {
		Components struct{ Schemas map[string]member }
	}
	require.NoError(t, json.Unmarshal(data, &doc))
	list := map[string]member{}
	var walk func(path string, m member)
	walk = func(path string, m member) {
		if m.Ref != "" {
			m = doc.Components.Schemas[m.Ref[strings.LastIndexByte(m.Ref, '/')+1:]]
		}
		for _, name := range slices.Sorted(maps.Keys(m.Properties)) {
			walk(strings.TrimPrefix(path+"/"+name, "/"), m.Properties[name])
		}
		if len(m.Properties) == 0 {
			list[path] = m
		}
	}
	walk("", doc.Components.Schemas["ProjectSettingsPatch"])
	require.Greater(t, len(list), 15)
	return list
}

// TestSettings_boundsAreTheContracts: what the contract states is what the code knows and
// what it enforces by itself, for callers that come by another way than HTTP.
func TestSettings_boundsAreTheContracts(t *testing.T) {
	t.Parallel()
	for path, m := range contractSettings(t) {
		want, bounded := m.bounds()
		got, known := limits.Setting(path)
		require.Equal(t, bounded, known, path)
		require.Equal(t, want, got, path)
		if !bounded || path == "leadCapture/alertWebhookUrl" { // Patch checks addresses, see TestPatch
			continue
		}
		require.NoError(t, tryValue(t, path, want.Max), "%s: the maximum", path)
		requireRefused(t, path, want.Max+1)
		if m.Minimum != nil {
			require.NoError(t, tryValue(t, path, want.Min), "%s: the least", path)
			requireRefused(t, path, want.Min-1)
		} else if want.Min > 0 {
			requireRefused(t, path, 0)
		}
	}
}

func requireRefused(t *testing.T, path string, size float64) {
	t.Helper()
	err := tryValue(t, path, size)
	require.EqualValues(t, "validation_error", apperr.CodeOf(err), "%s of %v", path, size)
	require.Contains(t, err.Error(), "settings/"+path)
}

// tryValue cleans a patch with one member of that size.
func tryValue(t *testing.T, path string, size float64) error {
	t.Helper()
	var p SettingsPatch
	field := reflect.ValueOf(&p).Elem()
	for name := range strings.SplitSeq(path, "/") {
		name = strings.ToUpper(name[:1]) + name[1:]
		field = field.FieldByName(strings.Replace(name, "IpAllowlist", "IPAllowlist", 1))
		require.True(t, field.IsValid(), "%s has no field %s", path, name)
	}
	switch v := field.Addr().Interface().(type) {
	case **int:
		*v = new(int(size))
	case **float64:
		*v = &size
	case **string:
		*v = new(textOf(path, int(size)))
	case *Nullable[float64]:
		*v = Nullable[float64]{Set: true, Value: &size}
	case *Text:
		*v = Text{Set: true, Value: new(textOf(path, int(size)))}
	case **[]string:
		list := make([]string, int(size))
		for i := range list {
			list[i] = map[bool]string{true: fmt.Sprintf("10.0.0.%d", i), false: "name"}[path == "ipAllowlist"]
		}
		*v = &list
	case **map[string]any:
		object := map[string]any{}
		for i := range int(size) {
			object[strconv.Itoa(i)] = "x"
		}
		*v = &object
	default:
		require.Fail(t, "no value", "%s is of type %T", path, v)
	}
	return p.clean()
}

// textOf is a good value of so many characters.
func textOf(path string, n int) string {
	switch path {
	case "leadCapture/alertEmail":
		const domain = "@example.com"
		return strings.Repeat("a", n-len(domain)) + domain
	case "prompt/answerLanguage":
		return ("x-" + strings.Repeat("abcdefgh-", 5))[:n] // parts of up to eight letters
	}
	return strings.Repeat("é", n)
}

// TestSettings_defaultsAreWithinTheirBounds: a new project could be sent as it is.
func TestSettings_defaultsAreWithinTheirBounds(t *testing.T) {
	t.Parallel()
	data, err := json.Marshal(column.DefaultSettings())
	require.NoError(t, err)
	var areas map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(data, &areas))
	for path := range contractSettings(t) {
		b, bounded := limits.Setting(path)
		area, name, nested := strings.Cut(path, "/")
		var members map[string]any
		if !bounded || !nested || json.Unmarshal(areas[area], &members) != nil {
			continue
		}
		switch v := members[name].(type) {
		case float64:
			require.True(t, v >= b.Min && v <= b.Max, path)
		case string:
			require.LessOrEqual(t, len(v), int(b.Max), path)
		}
	}
}
