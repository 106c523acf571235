"""Haystack with pgvector: haystack_peer.py FOLDER [indexed]. PG_CONN_STR names the database.

Haystack creates no index on the field that it filters by. With indexed, this program creates one.
"""

import os
import sys

import psycopg
from haystack import Document, Pipeline
from haystack.components.joiners import DocumentJoiner
from haystack_integrations.components.retrievers.pgvector import PgvectorEmbeddingRetriever, PgvectorKeywordRetriever
from haystack_integrations.document_stores.pgvector import PgvectorDocumentStore

from lines import DIMENSIONS, RESULTS, Data, serve

def main(folder: str, indexed: bool) -> None:
    table = "haystack_indexed" if indexed else "haystack"
    data = Data(folder)
    store = PgvectorDocumentStore(
        table_name=table, embedding_dimension=DIMENSIONS, vector_function="cosine_similarity", language="english",
        search_strategy="exact_nearest_neighbor", recreate_table=True, keyword_index_name=f"{table}_keywords",
    )
    for batch in data.batches():
        store.write_documents([
            Document(id=data.chunks[i][0], content=data.chunks[i][2], embedding=data.chunk_vector(i), meta={"tenant": data.chunks[i][1]})
            for i in batch
        ])
    with psycopg.connect(os.environ["PG_CONN_STR"], autocommit=True) as connection:
        if indexed:
            connection.execute(f"create index on {table} ((meta->>'tenant'))")
        connection.execute("analyze")

    vectors = PgvectorEmbeddingRetriever(document_store=store, top_k=RESULTS)
    both = Pipeline()
    both.add_component("vectors", PgvectorEmbeddingRetriever(document_store=store, top_k=RESULTS))
    both.add_component("words", PgvectorKeywordRetriever(document_store=store, top_k=RESULTS))
    both.add_component("join", DocumentJoiner(join_mode="reciprocal_rank_fusion", top_k=RESULTS))
    both.connect("vectors", "join")
    both.connect("words", "join")

    def tenant(i: int) -> dict:
        return {"field": "meta.tenant", "operator": "==", "value": data.queries[i][0]}

    def vector(i: int) -> list[str]:
        return [d.id for d in vectors.run(query_embedding=data.query_vector(i), filters=tenant(i))["documents"]]

    def hybrid(i: int) -> list[str]:
        found = both.run({
            "vectors": {"query_embedding": data.query_vector(i), "filters": tenant(i)},
            "words": {"query": data.queries[i][1], "filters": tenant(i)},
        })
        return [d.id for d in found["join"]["documents"]]

    serve({"vector": vector, "hybrid": hybrid})


main(sys.argv[1], "indexed" in sys.argv[2:])
