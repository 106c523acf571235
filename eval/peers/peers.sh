#!/usr/bin/env bash
# peers.sh FOLDER [NAME...]: install the products that make bench compares with into FOLDER, each once.
# Names: litellm portkey lucene bleve haystack llamaindex; default all. If one cannot be installed, the others still are.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
folder=$1 && shift
mkdir -p "$folder"
folder=$(cd "$folder" && pwd -P)
[ $# -gt 0 ] || set -- litellm portkey lucene bleve haystack llamaindex

python() { "$here/../../tools/python.sh" "$folder/$1" "$2"; }

litellm()    { python litellm "$here/gateway/litellm/requirements.txt"; }
haystack()   { python haystack "$here/rag/haystack.txt"; }
llamaindex() { python llamaindex "$here/rag/llamaindex.txt"; }

portkey() {
  mkdir -p "$folder/portkey"
  cp "$here"/gateway/portkey/* "$folder/portkey/"
  (cd "$folder/portkey" && npm ci --no-audit --no-fund --ignore-scripts)
}

lucene() {
  rm -rf "$folder/lucene"
  cp -r "$here/lexical/lucene" "$folder/lucene"
  (cd "$folder/lucene" && mvn -q compile dependency:copy-dependencies)
}

bleve() { (cd "$here/lexical/bleve" && GOFLAGS=-mod=readonly go build -trimpath -o "$folder/bleve/bleve" .); }

failed=0
for name in "$@"; do
  made=$folder/.made-$name
  if [ -e "$made" ]; then continue; fi
  echo "bench: installing $name"
  if "$name"; then touch "$made"; else echo "bench: $name could not be installed" >&2; failed=1; fi
done
exit $failed
