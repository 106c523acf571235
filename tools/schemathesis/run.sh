#!/usr/bin/env bash
# run.sh PYTHON SCHEMATHESIS…: hold a running instance against the contract that it publishes.
#
# It starts `docqa dev` in a temporary folder with the rates lifted, prepares what the runs work on (configure.py), runs
# schemathesis over the three documents with real credentials and a fixed seed, and stops the instance. The operations of
# openapi/not_implemented.txt get one request each. All runs together take at most three minutes. It fails for a status of
# 500 or above (but 501 of those operations), a status or body that the contract does not name, and every other check that
# configure.py does not exclude with its reason. The output of each run is kept in .tools/schemathesis-log.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=$1
shift

logs=$PWD/.tools/schemathesis-log
rm -rf "$logs" && mkdir -p "$logs"
began=$SECONDS
. tools/instance.sh
export HYPOTHESIS_STORAGE_DIRECTORY=$work/hypothesis

start schemathesis "$logs/dev.log"

read -r company owner base < <("$python" -c '
import json, sys
dev = json.load(open(sys.argv[1])); company = dev["companies"][0]
print(company["companyId"], next(u["email"] for u in company["users"] if u["role"] == "owner"), dev["baseUrl"])' "$work/data/dev.json")
bin/docqa company set-plan --data "$work/data" "$company" enterprise >/dev/null
token=$(bin/docqa token --data "$work/data" --email "$owner")
"$python" tools/schemathesis/configure.py "$work/data/dev.json" "$token" "$work" >"$work/runs"

# one NAME DOCUMENT COMMAND…: one run; a failure leaves a file.
one() {
  local name=$1 document=$2 start=$SECONDS
  shift 2
  if timeout --kill-after=10 600 "$@" --config-file "$work/$name.toml" run "$base/openapi/$document.yaml" \
    --no-color --warnings off </dev/null >"$logs/$name.log" 2>&1; then
    printf 'schemathesis: %-14s %s (%d s)\n' "$name" "$(grep -aE '^ *[0-9]+ generated' "$logs/$name.log" | tr -s ' ')" $((SECONDS - start))
  else
    touch "$work/$name.failed"
    printf 'schemathesis: %-14s FAILED (%d s)\n' "$name" $((SECONDS - start))
  fi
}

# The main API takes as long as all others together: the two halves run side by side.
lane() {
  while read -r name document; do one "$name" "$document" "$@"; done
}
grep '^main ' "$work/runs" | lane "$@" &
half=$!
grep -v '^main ' "$work/runs" | lane "$@"
wait "$half"

failed=0
while read -r name _; do
  [ -e "$work/$name.failed" ] || continue
  failed=1
  tail -n 300 "$logs/$name.log"
  printf 'schemathesis: %s failed, see .tools/schemathesis-log/%s.log\n' "$name" "$name"
done <"$work/runs"
[ "$failed" = 0 ] && printf 'schemathesis: all runs passed (%d s in all)\n' $((SECONDS - began))
exit "$failed"
