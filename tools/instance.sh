# instance.sh: other scripts source it to run `docqa dev` in a temporary folder until they end.
#
# It sets work (the folder) and, when start was called, dev (the process). At the end it stops the process and removes the folder.
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

# start NAME LOG [VARIABLE=VALUE…]: start the instance and wait until it is up. If it does not come up, the error begins with NAME.
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
