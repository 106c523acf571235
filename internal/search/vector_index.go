package search

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"docqa/internal/store"
)

// maxIndexedDimensions is the limit of pgvector for an index of half-precision vectors.
const maxIndexedDimensions = 4000

const indexPrefix = "chunk_vectors_hnsw_"

// indexName derives the name from hashes, so that no text of a client is part of a statement.
func indexName(projectID, model string) string {
	return indexPrefix + short(projectID) + "_" + short(model)
}

func short(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// staleShare: the index of vectors is rebuilt if this part (1/n) of the project's chunks was deleted since it was built.
const staleShare = 5

// vectorIndex builds the index of the project's vectors of the model, or rebuilds it if stale is
// set, and removes the indexes of other models; with an empty model it removes all. It reports
// whether it built one. Searches and writes continue meanwhile. If Owner is not the owner of
// the tables, it logs a warning and the project is searched without an index of vectors.
func (x *LargeIndexer) vectorIndex(ctx context.Context, projectID, model string, stale bool) (made bool, err error) {
	conn, err := pgx.Connect(ctx, x.Owner)
	if err != nil {
		return false, fmt.Errorf("connect as the owner: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var free bool // two sweeps would remove each other's unfinished index
	if err := conn.QueryRow(ctx, "select pg_try_advisory_lock(hashtextextended('vectors ' || $1, 0))", projectID).Scan(&free); err != nil {
		return false, err
	}
	if !free {
		return false, errOvertaken
	}
	defer conn.Exec(context.WithoutCancel(ctx), "select pg_advisory_unlock_all()") //nolint:errcheck // the lock ends with the connection, too
	name := indexName(projectID, model)
	there, err := removeOthers(ctx, conn, projectID, model, name)
	if err != nil || model == "" || there && !stale {
		return false, err
	}
	made, err = x.makeIndex(ctx, conn, projectID, model, name, there)
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == "42501" {
		x.Logger.WarnContext(ctx, "DATABASE_MIGRATE_URL is not the owner of the tables: vectors of large projects have no index")
		return false, nil
	}
	return made, err
}

// removeOthers drops the project's indexes of other models and its unfinished ones. It reports
// whether the index of the model exists.
func removeOthers(ctx context.Context, conn *pgx.Conn, projectID, model, name string) (there bool, err error) {
	rows, err := conn.Query(ctx, `select c.relname, i.indisvalid from pg_index i join pg_class c on c.oid = i.indexrelid
		where i.indrelid = 'chunk_vectors'::regclass and starts_with(c.relname, $1)`, indexPrefix+short(projectID)+"_")
	if err != nil {
		return false, err
	}
	type index struct {
		Name  string
		Valid bool
	}
	have, err := pgx.CollectRows(rows, pgx.RowToStructByPos[index])
	if err != nil {
		return false, err
	}
	for _, i := range have {
		if model != "" && i.Valid && i.Name == name {
			there = true
			continue
		}
		if _, err := conn.Exec(ctx, "drop index concurrently if exists "+pgx.Identifier{i.Name}.Sanitize()); err != nil {
			return false, err
		}
	}
	return there, nil
}

// makeIndex builds the index, or rebuilds it if it exists.
func (x *LargeIndexer) makeIndex(ctx context.Context, conn *pgx.Conn, projectID, model, name string, there bool) (made bool, err error) {
	var size int32
	err = conn.QueryRow(ctx, "select dimensions from vector_models where model = $1", model).Scan(&size)
	if store.IsNoRows(err) || size > maxIndexedDimensions {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	// pgvector before 0.8.3 may build a broken index in parallel.
	if _, err := conn.Exec(ctx, "set max_parallel_maintenance_workers = 0; set maintenance_work_mem = '256MB'; set statement_timeout = 0"); err != nil {
		return false, err
	}
	index := pgx.Identifier{name}.Sanitize()
	if there {
		_, err = conn.Exec(ctx, "reindex index concurrently "+index)
		return err == nil, err
	}
	_, err = conn.Exec(ctx, fmt.Sprintf(`create index concurrently %s on chunk_vectors
		using hnsw ((embedding::halfvec(%d)) halfvec_ip_ops) where project_id = %s and model = %s`,
		index, size, literal(projectID), literal(model)))
	return err == nil, err
}

// literal quotes text for a statement that takes no parameters.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
