"""Write the test data of internal/engine/wordpiece with the reference tokenizer.

    python tools/model/wordpiece_cases.py --model .data/models/all-MiniLM-L6-v2 --out internal/engine/wordpiece/testdata

needs the package `tokenizers` (0.23.3) and a folder with vocab.txt. Writes vocab.txt.gz, cases.jsonl.gz (text and ids,
at most 64 of them) and classes.txt.gz (what the reference makes of each code point). With --count 10000 --texts FOLDER
it makes a larger set, which the test reads by: go test ./internal/engine/wordpiece -args -cases=<folder>/cases.jsonl.gz
"""

import argparse
import gzip
import json
import pathlib
import random

from tokenizers import BertWordPieceTokenizer

MAX_TOKENS = 64

SENTENCES = [
    "The warranty covers the battery for two years or 700 full charge cycles, whichever comes first.",
    "Don't e-mail sales@example.com; call +1 (555) 010-9999 (9am–5pm)!",
    "Revenue rose 12.5% to $1,234,567.89 — up from €987.654,32 in Q3’24.",
    "Die Gewährleistung beträgt zwei Jahre; Straßenschäden sind ausgeschlossen.",
    "L’élève reçoit sa réponse où qu’il soit, çà et là.",
    "¿Cuánto tarda el envío? Mañana llegará el pingüino español.",
    "La città è più bella perché è lì.",
    "Het coördinatiepunt is geopend op zaterdag.",
    "A manutenção não está incluída no preço.",
    "Гарантия распространяется на аккумулятор; ещё вопрос о йогурте.",
    "يغطي الضمان البطارية لمدة عامين، أليس كذلك؟",
    "האחריות מכסה את הסוללה לשנתיים.",
    "वारंटी दो साल तक बैटरी को कवर करती है।",
    "保修期为两年，电池除外。",
    "バッテリーの保証期間は２年です。ガギグゲゴ",
    "배터리 보증 기간은 2년입니다.",
    "การรับประกันครอบคลุมแบตเตอรี่สองปี",
    "İstanbul'da IĞDIR ve ışık; çağrı şöyle.",
    "Η εγγύηση καλύπτει την μπαταρία ΣΟΦΟΣ.",
    "Bảo hành pin trong hai năm, được không?",
    "Pěkný žluťoučký kůň úpěl ďábelské ódy.",
    "Zażółć gęślą jaźń. ŁÓDŹ",
    "ბატარეის გარანტია ორი წელია",
    "Մարտկոցի երաշխիքը երկու տարի է։",
    "ব্যাটারির ওয়ারেন্টি দুই বছর।",
    "மின்கல உத்தரவாதம் இரண்டு ஆண்டுகள்.",
    "[CLS] a text with [MASK] and [SEP] in it [sep] [UNK][PAD]",
    "func main() { fmt.Println(\"a_b->c\") } // <tag attr='x'/>",
    "👩‍👩‍👧‍👦 family 🇩🇪 flag ☎️ call ½ cup ™ ﬁne Ⅷ",
    "Kelvin K Ångström Å ſ ǅ ß ẞ",
    "a\u200bb\u00adc\ufeffd\u0000e\ufffdf\u2028g\u00a0h\u3000i\u0085j\u000bk",
    "",
    " \t\r\n ",
    "x" * 100,
    "x" * 101,
    "é" * 101,
    "unbelievablyantidisestablishmentarianism" * 2,
]

# Blocks from which texts are made, with how often each is taken.
BLOCKS = [
    (0x20, 0x7E, 12), (0x00, 0x1F, 1), (0x80, 0xFF, 5), (0x100, 0x24F, 4), (0x250, 0x36F, 3), (0x370, 0x3FF, 3),
    (0x400, 0x52F, 4), (0x530, 0x5FF, 3), (0x600, 0x77F, 4), (0x780, 0x8FF, 2), (0x900, 0xDFF, 5), (0xE00, 0xFFF, 4),
    (0x1000, 0x109F, 1), (0x10A0, 0x10FF, 1), (0x1100, 0x11FF, 2), (0x1200, 0x17FF, 3), (0x1800, 0x1CFF, 2), (0x1D00, 0x1FFF, 4),
    (0x2000, 0x206F, 4), (0x2070, 0x2BFF, 4), (0x2C00, 0x2FFF, 2), (0x3000, 0x30FF, 5), (0x3100, 0x33FF, 2), (0x3400, 0x4DBF, 1),
    (0x4E00, 0x9FFF, 5), (0xA000, 0xABFF, 3), (0xAC00, 0xD7FF, 4), (0xE000, 0xF8FF, 1), (0xF900, 0xFFFF, 4), (0x10000, 0x10FFF, 2),
    (0x11000, 0x11FFF, 2), (0x12000, 0x1CFFF, 1), (0x1D000, 0x1DFFF, 1), (0x1E000, 0x1EFFF, 1), (0x1F000, 0x1FAFF, 3),
    (0x20000, 0x2FA1F, 2), (0xE0000, 0xE01EF, 1), (0x10FF00, 0x10FFFF, 1),
]


def from_blocks(rnd, words):
    blocks = rnd.choices(BLOCKS, weights=[b[2] for b in BLOCKS], k=rnd.randint(1, 4))
    text = []
    for _ in range(rnd.randint(1, 12)):
        if rnd.random() < 0.3:
            text.append(rnd.choice(words))
        else:
            lo, hi, _ = rnd.choice(blocks)
            points = (rnd.randint(lo, hi) for _ in range(rnd.randint(1, 8)))
            text.append("".join(chr(c) for c in points if not 0xD800 <= c < 0xE000))
        if rnd.random() < 0.7:
            text.append(rnd.choice(" \n\t-.,'’  "))
    return "".join(text)


def values(path, lines):
    """The lines of a text, or the strings of a file of JSON lines."""
    if path.suffix != ".jsonl":
        return lines
    return [v for line in lines[:-1] for v in json.loads(line).values() if isinstance(v, str)]


def texts(count, folder):
    rnd = random.Random(20240229)
    words = sorted({w for s in SENTENCES for w in s.split()})
    yield from SENTENCES
    real = []
    if folder:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.suffix in {".txt", ".md", ".jsonl"}:
                lines = path.read_text(errors="replace")[:4_000_000].splitlines()
                real += [line[:400] for line in values(path, lines) if line.strip()]
    real = rnd.sample(real, min(len(real), count // 2))
    yield from real
    for _ in range(count - len(real) - len(SENTENCES)):
        yield from_blocks(rnd, words)


def classes(tokenizer):
    """The classes of all code points, as runs: first code point, last, class."""
    runs = []
    for c in range(0x110000):
        if 0xD800 <= c < 0xE000:
            continue
        text = "a" + chr(c) + "b"
        middle = tokenizer.normalizer.normalize_str(text)[1:-1]
        pieces = len(tokenizer.pre_tokenizer.pre_tokenize_str("a" + middle + "b"))
        kind = {"": "removed", " ": "space"}.get(middle) or {1: "letter", 2: "space"}.get(pieces, "alone")
        if runs and runs[-1][1] == c - 1 and runs[-1][2] == kind:
            runs[-1][1] = c
        else:
            runs.append([c, c, kind])
    return runs


def write(path, lines):
    with open(path, "wb") as f, gzip.GzipFile(fileobj=f, mode="wb", compresslevel=9, mtime=0, filename="") as z:
        z.write("".join(line + "\n" for line in lines).encode())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--texts", help="folder of real texts")
    a = parser.parse_args()
    vocabulary, out = pathlib.Path(a.model) / "vocab.txt", pathlib.Path(a.out)
    tokenizer = BertWordPieceTokenizer(str(vocabulary), lowercase=True)
    tokenizer.enable_truncation(MAX_TOKENS)
    out.mkdir(parents=True, exist_ok=True)
    write(out / "cases.jsonl.gz", (json.dumps({"text": t, "ids": tokenizer.encode(t).ids}) for t in texts(a.count, a.texts)))
    write(out / "vocab.txt.gz", vocabulary.read_text(encoding="utf-8").splitlines())
    write(out / "classes.txt.gz", (f"{lo:x} {hi:x} {kind}" for lo, hi, kind in classes(tokenizer)))


if __name__ == "__main__":
    main()
