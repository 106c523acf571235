"""Haystack with pgvector, as bench asks it: haystack_peer.py FOLDER, the database in PG_CONN_STR."""

import os
import sys

import psycopg
from haystack import Document, Pipeline
from haystack.components.joiners import DocumentJoiner
from haystack_integrations.components.retrievers.pgvector import PgvectorEmbeddingRetriever, PgvectorKeywordRetriever
from haystack_integrations.document_stores.pgvector import PgvectorDocumentStore

from lines import DIMENSIONS, RESULTS, Data, serve

TABLE = "haystack_chunks"


def main(folder: str) -> None:
    data = Data(folder)
    store = PgvectorDocumentStore(
        table_name=TABLE, embedding_dimension=DIMENSIONS, vector_function="cosine_similarity", language="english",
        search_strategy="exact_nearest_neighbor", recreate_table=True,
    )
    for batch in data.batches():
        store.write_documents([
            Document(id=data.chunks[i][0], content=data.chunks[i][2], embedding=data.chunk_vector(i), meta={"tenant": data.chunks[i][1]})
            for i in batch
        ])
    with psycopg.connect(os.environ["PG_CONN_STR"], autocommit=True) as connection:
        connection.execute(f"create index on {TABLE} ((meta->>'tenant'))")
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


main(sys.argv[1])
