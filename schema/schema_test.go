package schema_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/schema"
)

func TestMigrations_pairsWithoutGaps(t *testing.T) {
	t.Parallel()
	ups, err := fs.Glob(schema.Migrations, "*.up.sql")
	require.NoError(t, err)
	require.NotEmpty(t, ups)
	for i, up := range ups {
		require.Regexp(t, fmt.Sprintf(`^%06d_[a-z_]+\.up\.sql$`, i+1), up, "numbered from 1 without gaps")
		_, err := fs.Stat(schema.Migrations, strings.Replace(up, ".up.", ".down.", 1))
		require.NoError(t, err, "%s has no down file", up)
	}
	newest, err := schema.Newest()
	require.NoError(t, err)
	require.Equal(t, uint(len(ups)), newest)
}
