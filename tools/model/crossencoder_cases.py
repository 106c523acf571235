"""Write the test data of internal/provider/rerank with the reference tokenizer and runtime.

    python tools/model/crossencoder_cases.py --out internal/provider/rerank/testdata

needs the package `tokenizers` (0.23.3) beside those of requirements.txt. Makes a small cross-encoder with fixed random
weights, converts it as make model would, but without quantisation, and writes model.onnx, vocab.txt, config.json and
cases.json: pairs of texts with the logits that the runtime gives for the reference tokenizer's tokens.
"""

import argparse
import json
import pathlib

import numpy as np
import onnx
import onnxruntime as ort
from convert import CrossEncoder
from tokenizers import BertWordPieceTokenizer

TOKENS = 24  # that the model reads at most
HIDDEN, WIDE, LAYERS, HEADS = 16, 32, 2, 2

PAIRS = [
    ("How long is the warranty?", "The warranty lasts two years."),
    ("How long is the warranty?", "Goods may be returned."),
    ("warranty", ""),
    ("", "Delivery takes three days."),
    ("Iceland?", "delivery to iceland takes five days, " * 6),
    ("how long does the delivery of goods to iceland take, " * 4, "five days"),
    ("how long does the delivery take, " * 6, "the delivery takes three days, " * 6),
]


def vocabulary():
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = "the warranty delivery goods iceland days two three five years take ##s how long is to of be may return ##ed last".split()
    return ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "?", ",", ".", *words, *letters, *("##" + c for c in letters)]


def tensors(rnd, size):
    """Random weights under the names of BertForSequenceClassification."""
    w = {}

    def linear(name, rows, columns):
        w[name + ".weight"] = rnd.normal(0, 0.5, (rows, columns)).astype(np.float32)
        w[name + ".bias"] = rnd.normal(0, 0.1, rows).astype(np.float32)

    def norm(name):
        w[name + ".weight"] = rnd.normal(1, 0.1, HIDDEN).astype(np.float32)
        w[name + ".bias"] = rnd.normal(0, 0.1, HIDDEN).astype(np.float32)

    for name, rows in (("word", size), ("position", TOKENS), ("token_type", 2)):
        w[f"embeddings.{name}_embeddings.weight"] = rnd.normal(0, 1, (rows, HIDDEN)).astype(np.float32)
    norm("embeddings.LayerNorm")
    for n in range(LAYERS):
        p = f"encoder.layer.{n}."
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            linear(p + "attention." + part, HIDDEN, HIDDEN)
        norm(p + "attention.output.LayerNorm")
        linear(p + "intermediate.dense", WIDE, HIDDEN)
        linear(p + "output.dense", HIDDEN, WIDE)
        norm(p + "output.LayerNorm")
    linear("pooler.dense", HIDDEN, HIDDEN)
    linear("classifier", 1, HIDDEN)
    return w


def cases(model, vocab):
    reference = BertWordPieceTokenizer(str(vocab), lowercase=True)
    reference.enable_truncation(TOKENS, strategy="longest_first")
    session = ort.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    for question, text in PAIRS:
        e = reference.encode(question, text)
        inputs = {
            "input_ids": np.array([e.ids], np.int64),
            "attention_mask": np.array([e.attention_mask], np.int64),
            "token_type_ids": np.array([e.type_ids], np.int64),
        }
        logit = float(session.run(None, inputs)[0][0][0])
        yield {"question": question, "text": text, "ids": e.ids, "kinds": e.type_ids, "logit": round(logit, 5)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, required=True)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    words = vocabulary()
    (out / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    config = {
        "model_type": "bert", "architectures": ["BertForSequenceClassification"], "hidden_size": HIDDEN, "vocab_size": len(words),
        "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "hidden_act": "gelu", "max_position_embeddings": TOKENS,
        "max_seq_length": TOKENS, "do_lower_case": True,
    }
    (out / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    model = CrossEncoder(tensors(np.random.default_rng(7), len(words)), config).model(None)
    onnx.checker.check_model(model)
    onnx.save(model, out / "model.onnx")
    made = list(cases(out / "model.onnx", out / "vocab.txt"))
    (out / "cases.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
