#!/usr/bin/env bash
# run.sh PYTHON NODE FOLDER: use a running instance by clients that others wrote.
#
# It starts `docqa dev` in a temporary folder, brings in the example documents, lets each client ask, and stops the instance.
# PYTHON has the packages of requirements.txt, FOLDER the node_modules of package-lock.json.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=$1 node=$2 folder=$3
work=$(mktemp -d) && chmod 755 "$work"
dev=

# shellcheck disable=SC2317 # called by the trap
stop() {
  if [ -n "$dev" ] && kill -TERM "$dev" 2>/dev/null; then
    for _ in $(seq 300); do kill -0 "$dev" 2>/dev/null || break; sleep 0.1; done
    kill -KILL "$dev" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap stop EXIT
trap 'exit 130' INT TERM

env -u DATABASE_URL -u DATABASE_MIGRATE_URL -u MODELS_FILE EMBEDDINGS=none RATE_LIMIT_SCALE=1000 \
  bin/docqa dev --data "$work/data" >"$work/dev.log" 2>&1 &
dev=$!
for _ in $(seq 600); do
  [ -e "$work/data/dev.json" ] && break
  kill -0 "$dev" 2>/dev/null || { cat "$work/dev.log" >&2; echo "clients: docqa dev did not start" >&2; exit 1; }
  sleep 0.1
done
read -r base key < <("$python" -c '
import json, sys
dev = json.load(open(sys.argv[1]))
print(dev["baseUrl"], dev["companies"][0]["projects"][0]["keys"]["sk_live"])' "$work/data/dev.json")
bin/docqa ingest --data "$work/data" examples/documents/service-faq.txt examples/documents/warranty-booklet.pdf >"$work/ingest.log" 2>&1 || { cat "$work/ingest.log" >&2; exit 1; }

question='How long does the warranty cover the battery?'
"$python" tools/clients/check.py "$base" "$key" "$question" "700 full charge cycles"
cp tools/clients/check.mjs "$folder/"
"$node" "$folder/check.mjs" "$base" "$key" "$question" "700 full charge cycles"
