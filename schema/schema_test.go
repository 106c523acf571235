package schema_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/schema"
)

func TestMigrations_EveryUpHasADown(t *testing.T) {
	t.Parallel()
	ups, err := fs.Glob(schema.Migrations, "*.up.sql")
	require.NoError(t, err)
	require.NotEmpty(t, ups)
	for _, up := range ups {
		_, err := fs.Stat(schema.Migrations, strings.Replace(up, ".up.", ".down.", 1))
		require.NoError(t, err, up)
	}
}
