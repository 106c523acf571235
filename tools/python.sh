#!/usr/bin/env bash
# python.sh FOLDER PINS: create a Python environment with exactly the packages that PINS names, checked by their hashes.
# If Python with venv is missing, root gets it by apt; others get an error with the command to run.
set -euo pipefail
folder=$1 pins=$2

if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "setup: installing python3-venv"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv; } >/dev/null
  else
    echo "Python 3.11 or newer with venv is missing. Install it by: sudo apt-get install python3-venv" >&2
    exit 1
  fi
fi
echo "setup: installing $(grep -c == "$pins") Python packages into $folder"
rm -rf "$folder"
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r "$pins"
