"""Make a folder with model.onnx, vocab.txt and config.json of a sentence-transformers folder of the BERT family.

    python tools/model/convert.py FOLDER OUT

The graph takes input_ids and attention_mask (int64, [batch, tokens]) and gives sentence_embedding (float32,
[batch, hidden]): the encoder, the pooling that the folder names, and the L2 norm. That of a cross-encoder, a folder
whose config.json names an architecture ...ForSequenceClassification, takes token_type_ids, too, and gives logits
(float32, [batch, labels]). The weights are 8-bit integers, quantised per channel. A folder that has a model.onnx
already is taken as it is. config.json gets two keys that other files of the folder hold: max_seq_length and
do_lower_case.
"""

import json
import logging
import pathlib
import shutil
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto as T
from onnx import helper as h
from onnx import numpy_helper as nh
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file

LEAST_COSINE = 0.95  # between the vectors before and after quantisation
MOST_SHIFT = 0.1  # of a judgement, which is between 0 and 1, by quantisation
ACTIVATIONS = {"gelu": ("Gelu", {}), "gelu_new": ("Gelu", {"approximate": "tanh"}), "relu": ("Relu", {})}


def read(folder, name):
    path = folder / name
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def pooling(folder):
    """The pooling that the folder names, mean by default."""
    for module in read(folder, "modules.json") or []:
        if module["type"].rsplit(".", 1)[-1] not in {"Transformer", "Pooling", "Normalize"}:
            sys.exit(f"{folder}: the module {module['type']} cannot be converted")
    modes = {k for k, v in read(folder, "1_Pooling/config.json").items() if k.startswith("pooling_mode_") and v is True}
    modes = modes or {"pooling_mode_mean_tokens"}
    for mode in ("mean", "cls"):
        if modes == {f"pooling_mode_{mode}_tokens"} or modes == {f"pooling_mode_{mode}_token"}:
            return mode
    sys.exit(f"{folder}: the pooling {', '.join(sorted(modes))} cannot be converted")


def weights(folder):
    path = folder / "model.safetensors"
    if not path.is_file():
        sys.exit(f"{folder}: has neither model.onnx nor model.safetensors")
    tensors = {name.removeprefix("bert."): w.astype(np.float32) for name, w in load_file(path).items()}
    if "embeddings.word_embeddings.weight" not in tensors:
        sys.exit(f"{path}: is no encoder of the BERT family")
    return tensors


class Graph:
    """Collects nodes and constants of an encoder that gives vectors."""

    takes = ("input_ids", "attention_mask")
    gives = "sentence_embedding"

    def __init__(self, tensors, config):
        self.w, self.config, self.nodes, self.constants = tensors, config, [], []

    def const(self, name, value, dtype=None):
        # A scalar must stay one: np.ascontiguousarray would give it a dimension.
        self.constants.append(nh.from_array(np.array(value, dtype=dtype, order="C"), name))
        return name

    def node(self, op, inputs, out, **attributes):
        self.nodes.append(h.make_node(op, inputs, [out], **attributes))
        return out

    def norm(self, x, layer, out):
        gain, bias = self.const(layer + ".g", self.w[layer + ".weight"]), self.const(layer + ".b", self.w[layer + ".bias"])
        return self.node("LayerNormalization", [x, gain, bias], out, axis=-1, epsilon=self.config.get("layer_norm_eps", 1e-12))

    def linear(self, x, layer, out):
        matrix, bias = self.const(layer + ".m", self.w[layer + ".weight"].T), self.const(layer + ".b", self.w[layer + ".bias"])
        return self.node("Add", [self.node("MatMul", [x, matrix], out + ".product"), bias], out)

    def embeddings(self):
        e = "embeddings."
        words = self.const("words", self.w[e + "word_embeddings.weight"])
        places = self.const("places", self.w[e + "position_embeddings.weight"])
        kind = self.kind(self.w[e + "token_type_embeddings.weight"])
        zero, one = self.const("zero", 0, np.int64), self.const("one", 1, np.int64)
        tokens = self.node("Gather", [self.node("Shape", ["input_ids"], "shape"), one], "tokens")
        place = self.node("Gather", [places, self.node("Range", [zero, tokens, one], "range")], "place")
        word = self.node("Gather", [words, "input_ids"], "word")
        placed = self.node("Add", [word, place], "placed")
        return self.norm(self.node("Add", [placed, kind], "summed"), e + "LayerNorm", "embedded")

    def kind(self, table):
        return self.const("kind", table[0])

    def mask(self):
        mask = self.node("Cast", ["attention_mask"], "mask", to=T.FLOAT)
        off = self.node("Sub", [self.const("f1", 1, np.float32), mask], "off")
        penalty = self.node("Mul", [off, self.const("far", -10000, np.float32)], "penalty")
        self.node("Unsqueeze", [penalty, self.const("axes12", [1, 2], np.int64)], "bias")
        return mask

    def shapes(self):
        heads, hidden = self.config["num_attention_heads"], self.config["hidden_size"]
        self.const("split", [0, 0, heads, hidden // heads], np.int64)
        self.const("joined", [0, 0, hidden], np.int64)
        self.const("scale", 1 / np.sqrt(hidden // heads), np.float32)

    def layer(self, x, n):
        p = f"encoder.layer.{n}."
        for part in ("query", "key", "value"):
            self.linear(x, p + "attention.self." + part, p + part)
            split = self.node("Reshape", [p + part, "split"], p + part + ".split")
            self.node("Transpose", [split], p + part + ".t", perm=[0, 2, 3, 1] if part == "key" else [0, 2, 1, 3])
        scores = self.node("MatMul", [p + "query.t", p + "key.t"], p + "scores")
        scaled = self.node("Mul", [scores, "scale"], p + "scaled")
        weight = self.node("Softmax", [self.node("Add", [scaled, "bias"], p + "masked")], p + "weight", axis=-1)
        mixed = self.node("Transpose", [self.node("MatMul", [weight, p + "value.t"], p + "mixed")], p + "mixed.t", perm=[0, 2, 1, 3])
        attended = self.linear(self.node("Reshape", [mixed, "joined"], p + "context"), p + "attention.output.dense", p + "attended")
        x = self.norm(self.node("Add", [attended, x], p + "sum1"), p + "attention.output.LayerNorm", p + "x1")
        op, attributes = ACTIVATIONS[self.config["hidden_act"]]
        wide = self.node(op, [self.linear(x, p + "intermediate.dense", p + "wide")], p + "active", **attributes)
        narrow = self.linear(wide, p + "output.dense", p + "narrow")
        return self.norm(self.node("Add", [narrow, x], p + "sum2"), p + "output.LayerNorm", p + "x2")

    def pool(self, x, mask, mode):
        axis1 = self.const("axis1", [1], np.int64)
        if mode == "cls":
            pooled = self.node("Gather", [x, "zero"], "pooled", axis=1)
        else:
            kept = self.node("Mul", [x, self.node("Unsqueeze", [mask, self.const("axis2", [2], np.int64)], "mask3")], "kept")
            total = self.node("ReduceSum", [kept, axis1], "total", keepdims=0)
            pooled = self.node("Div", [total, self.node("ReduceSum", [mask, axis1], "count", keepdims=1)], "pooled")
        self.node("Div", [pooled, self.node("ReduceL2", [pooled, axis1], "length", keepdims=1)], self.gives)
        return self.config["hidden_size"]

    def model(self, mode):
        self.shapes()
        x, mask = self.embeddings(), self.mask()
        for n in range(self.config["num_hidden_layers"]):
            x = self.layer(x, n)
        size = self.pool(x, mask, mode)
        tokens = [h.make_tensor_value_info(name, T.INT64, ["batch", "tokens"]) for name in self.takes]
        out = [h.make_tensor_value_info(self.gives, T.FLOAT, ["batch", size])]
        graph = h.make_graph(self.nodes, "encoder", tokens, out, self.constants)
        return h.make_model(graph, opset_imports=[h.make_opsetid("", 20)], ir_version=10)


class CrossEncoder(Graph):
    """The encoder of a model that judges two texts together."""

    takes = (*Graph.takes, "token_type_ids")
    gives = "logits"

    def kind(self, table):
        return self.node("Gather", [self.const("kinds", table), "token_type_ids"], "kind")

    def pool(self, x, mask, mode):
        first = self.node("Gather", [x, "zero"], "first", axis=1)
        pooled = self.node("Tanh", [self.linear(first, "pooler.dense", "pooler")], "pooled")
        self.linear(pooled, "classifier", self.gives)
        return len(self.w["classifier.bias"])


def judges(config):
    return any(name.endswith("ForSequenceClassification") for name in config.get("architectures") or [])


def supported(folder, config):
    if config.get("model_type") != "bert":
        sys.exit(f"{folder}: a model of the type {config.get('model_type')} cannot be converted, only bert")
    if config.get("position_embedding_type", "absolute") != "absolute" or config.get("hidden_act") not in ACTIVATIONS:
        sys.exit(f"{folder}: its position embeddings or its activation cannot be converted")


def check(exact, quantised, config):
    """Both graphs must give nearly the same unit vectors, or nearly the same judgements."""
    rnd = np.random.default_rng(1)
    ids = rnd.integers(1, config["vocab_size"], (8, 24), dtype=np.int64)
    mask, kinds = np.ones_like(ids), np.zeros_like(ids)
    mask[1::2, 12:], kinds[:, 6:] = 0, 1
    inputs = {"input_ids": ids, "attention_mask": mask}
    if judges(config):
        inputs["token_type_ids"] = kinds
    a, b = (ort.InferenceSession(str(m), providers=["CPUExecutionProvider"]).run(None, inputs)[0] for m in (exact, quantised))
    if judges(config):
        shift = float(np.abs(1 / (1 + np.exp(-a)) - 1 / (1 + np.exp(-b))).max())
        if not shift <= MOST_SHIFT:
            sys.exit(f"the quantised model differs from the exact one: judgements shift by {shift:.3f}")
        return f"judgements shifted by at most {shift:.3f}"
    cosine = float((a * b).sum(1).min())
    if a.shape[1] != config["hidden_size"] or not np.isfinite(cosine) or cosine < LEAST_COSINE:
        sys.exit(f"the quantised model differs from the exact one: cosine {cosine:.3f}")
    return f"cosine with the exact model at least {cosine:.3f}"


def convert(folder, out):
    config = read(folder, "config.json")
    if not config or not (folder / "vocab.txt").is_file():
        sys.exit(f"{folder}: needs config.json and vocab.txt")
    ready = [p for p in (folder / "model.onnx", folder / "onnx" / "model.onnx") if p.is_file()]
    out.mkdir(parents=True, exist_ok=True)
    if ready:
        shutil.copyfile(ready[0], out / "model.onnx")
        print(f"{folder.name}: model.onnx taken as it is")
    else:
        supported(folder, config)
        with tempfile.TemporaryDirectory(dir=out) as scratch:
            exact = pathlib.Path(scratch) / "exact.onnx"
            model = CrossEncoder(weights(folder), config).model(None) if judges(config) else Graph(weights(folder), config).model(pooling(folder))
            onnx.checker.check_model(model)
            onnx.save(model, exact)
            quantize_dynamic(
                exact, out / "model.onnx", weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=["MatMul"]
            )
            kept = check(exact, out / "model.onnx", config)
        print(f"{folder.name}: converted to 8 bits, {kept}")
    shutil.copyfile(folder / "vocab.txt", out / "vocab.txt")
    config.setdefault("max_seq_length", read(folder, "sentence_bert_config.json").get("max_seq_length"))
    config.setdefault("do_lower_case", read(folder, "tokenizer_config.json").get("do_lower_case", True))
    if config["max_seq_length"] is None:
        config["max_seq_length"] = min(512, config.get("max_position_embeddings", 512))
    (out / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    logging.getLogger().setLevel(logging.ERROR)  # the quantiser advises a step that changes nothing here
    convert(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
