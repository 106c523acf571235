"""LlamaIndex with pgvector: llamaindex_peer.py FOLDER. PG_CONN_STR names the database."""

import os
import sys
from urllib.parse import unquote, urlparse

import psycopg2
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import ExactMatchFilter, MetadataFilters
from llama_index.core.vector_stores.types import VectorStoreQuery, VectorStoreQueryMode
from llama_index.vector_stores.postgres import PGVectorStore

from lines import DIMENSIONS, RESULTS, Data, serve


def main(folder: str) -> None:
    data = Data(folder)
    at = urlparse(os.environ["PG_CONN_STR"])
    store = PGVectorStore.from_params(
        host=at.hostname, port=str(at.port), user=unquote(at.username), password=unquote(at.password or ""), database=at.path.strip("/"),
        table_name="llamaindex_chunks", embed_dim=DIMENSIONS, hybrid_search=True, text_search_config="english",
        indexed_metadata_keys={("tenant", "text")},
    )
    for batch in data.batches():
        store.add([
            TextNode(id_=data.chunks[i][0], text=data.chunks[i][2], embedding=data.chunk_vector(i), metadata={"tenant": data.chunks[i][1]})
            for i in batch
        ])

    connection = psycopg2.connect(os.environ["PG_CONN_STR"])
    connection.autocommit = True
    connection.cursor().execute("analyze")
    connection.close()

    def ask(i: int, mode: VectorStoreQueryMode) -> list[str]:
        found = store.query(VectorStoreQuery(
            query_embedding=data.query_vector(i), query_str=data.queries[i][1], similarity_top_k=RESULTS, sparse_top_k=RESULTS, mode=mode,
            filters=MetadataFilters(filters=[ExactMatchFilter(key="tenant", value=data.queries[i][0])]),
        ))
        return [n.node_id for n in found.nodes]

    serve({
        "vector": lambda i: ask(i, VectorStoreQueryMode.DEFAULT),
        "hybrid": lambda i: ask(i, VectorStoreQueryMode.HYBRID),
    })


main(sys.argv[1])
