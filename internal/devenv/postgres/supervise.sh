# Runs the shared test cluster in $1 as long as somebody uses it: the arguments
# after $1 and $2 are the server's command line. Users hold the file "users"
# locked; $2 is the process that will start more of them (`go test`), or 0.
cd "$1" || exit 1
maker=$2
shift 2
exec 9>>running
flock -n 9 || exit 0
"$@" 9>&- &
server=$!
trap 'maker=0' INT TERM

# A server that has ended stays in the table of processes until we wait for it.
running() { kill -0 $server 2>/dev/null && { [ ! -d /proc/self ] || [ -e /proc/$server/cwd ]; }; }
idle() { [ ! -d "/proc/$maker/fd" ] && flock -n -x users true; }

while running; do
  sleep 0.2
  if idle; then
    exec 8>>start
    flock 8 # nobody begins to use it from here on
    if idle; then break; fi
    exec 8>&-
  fi
done
kill -QUIT $server 2>/dev/null
wait $server
rm -rf data
