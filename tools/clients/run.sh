#!/usr/bin/env bash
# run.sh PYTHON NODE FOLDER: test a running instance with the official clients of the OpenAI protocol.
#
# It starts `docqa dev` in a temporary folder, ingests the example documents, asks with each client, and stops the instance.
# PYTHON has the packages of requirements.txt, FOLDER the node_modules of package-lock.json.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=$1 node=$2 folder=$3
. tools/instance.sh
start clients "$work/dev.log" MODELS_FILE= EMBEDDINGS=none
read -r base key < <("$python" -c '
import json, sys
dev = json.load(open(sys.argv[1]))
print(dev["baseUrl"], dev["companies"][0]["projects"][0]["keys"]["sk_live"])' "$work/data/dev.json")
bin/docqa ingest --data "$work/data" examples/documents/service-faq.txt examples/documents/warranty-booklet.pdf >"$work/ingest.log" 2>&1 || { cat "$work/ingest.log" >&2; exit 1; }

question='How long does the warranty cover the battery?'
"$python" tools/clients/check.py "$base" "$key" "$question" "700 full charge cycles"
cp tools/clients/check.mjs "$folder/"
"$node" "$folder/check.mjs" "$base" "$key" "$question" "700 full charge cycles"
