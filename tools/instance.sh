# instance.sh, sourced: a `docqa dev` in a temporary folder for as long as the script runs.
#
# Sets work (the folder) and dev (the process, once start was called), and stops and removes both at the end.
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

# start NAME LOG [VARIABLE=VALUE…]: wait until the instance is up; NAME says who asks where it does not come up.
start() {
  local name=$1 log=$2
  shift 2
  env -u DATABASE_URL -u DATABASE_MIGRATE_URL RATE_LIMIT_SCALE=1000 "$@" bin/docqa dev --data "$work/data" >"$log" 2>&1 &
  dev=$!
  for _ in $(seq 3000); do
    [ -e "$work/data/dev.json" ] && return 0
    kill -0 "$dev" 2>/dev/null || { cat "$log" >&2; echo "$name: docqa dev did not start" >&2; exit 1; }
    sleep 0.1
  done
  cat "$log" >&2
  echo "$name: docqa dev did not come up within five minutes" >&2
  exit 1
}
