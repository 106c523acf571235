#!/usr/bin/env bash
# cgo.sh: print how to build: "CGO_ENABLED=1 CC=…" if there is a C compiler that works, else "CGO_ENABLED=0". The embedding model
# needs cgo; without it the service searches by keywords only. If CGO_ENABLED is set, it is not changed; CC is tried first.
set -euo pipefail
if [ -n "${CGO_ENABLED:-}" ]; then
  echo "CGO_ENABLED=$CGO_ENABLED"
  exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf '#include <stdlib.h>\nint main(void) { return EXIT_SUCCESS; }\n' >"$scratch/a.c"
for cc in ${CC:-gcc clang cc}; do
  if $cc -pthread "$scratch/a.c" -o "$scratch/a" 2>/dev/null; then
    echo "CGO_ENABLED=1 CC=$cc"
    exit 0
  fi
done
echo "CGO_ENABLED=0"
