"""What the libraries share: reading the folder of data, and the protocol of eval/peers/README.md."""

import array
import json
import sys
import time
from pathlib import Path

DIMENSIONS = 384
RESULTS = 10
BATCH = 2500


class Data:
    """A folder with chunks and questions, each with a vector."""

    def __init__(self, folder: str):
        self.folder = Path(folder)
        self.chunks = self._rows("chunks.tsv", 2)
        self.queries = self._rows("queries.tsv", 1)
        self._chunk_vectors = self._floats("chunks.f32")
        self._query_vectors = self._floats("queries.f32")

    def _rows(self, name: str, tabs: int) -> list[list[str]]:
        with open(self.folder / name, encoding="utf-8") as file:
            return [line.rstrip("\n").split("\t", tabs) for line in file]

    def _floats(self, name: str) -> array.array:
        floats = array.array("f")
        floats.frombytes((self.folder / name).read_bytes())
        return floats

    def chunk_vector(self, i: int) -> list[float]:
        return self._chunk_vectors[i * DIMENSIONS : (i + 1) * DIMENSIONS].tolist()

    def query_vector(self, i: int) -> list[float]:
        return self._query_vectors[i * DIMENSIONS : (i + 1) * DIMENSIONS].tolist()

    def batches(self):
        for start in range(0, len(self.chunks), BATCH):
            yield range(start, min(start + BATCH, len(self.chunks)))


def serve(ask: dict) -> None:
    """Answer lines such as `vector 12` until the input ends. ask["vector"](12) returns ids."""
    print("ready", flush=True)
    for line in sys.stdin:
        kind, number = line.split()
        began = time.perf_counter()
        ids = ask[kind](int(number))
        took = (time.perf_counter() - began) * 1e3
        print(json.dumps({"ms": took, "ids": ids}), flush=True)
