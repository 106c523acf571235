#!/usr/bin/env bash
# setup.sh: install the programs that the service needs, if they are missing:
#   PostgreSQL >= 15 with pgvector >= 0.8, and pdftotext (poppler) >= 22.05;
# for the embedding model also a C compiler to build the service and Python to
# install the model. Without these two the service searches by keywords only.
#
# It prints one line for each step, and nothing if nothing is missing.
# PostgreSQL is always unpacked below .pg/, also for root: installing its package
# would start a server of the system. The other tools are installed by apt for
# root, and unpacked below .pg/ for other users.
# internal/devenv/pgbin finds the result by the same rules.
#
# Settings: EMBEDDINGS (if set, nothing is installed for the embedding model), DATABASE_URL or DOCQA_TEST_DATABASE_URL (if set, no
# PostgreSQL is installed), PG_BIN (a bin folder to use as it is), PG_MAJORS (the releases to look for in the archive, newest first),
# DEBIAN_MIRROR (where sources come from).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
home=$root/.pg
min_server=15 min_vector=0.8.0 min_poppler=22.05

say() { printf 'setup: %s\n' "$*"; }
die() { printf 'setup: %s\n' "$*" >&2; exit 1; }
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }
is_root() { [ "$(id -u)" = 0 ]; }

# ---- what is there ---------------------------------------------------------

# libs DIR: the folder of shared libraries in a tree unpacked at DIR.
libs() { find "$1/usr/lib" -maxdepth 1 -type d -name '*-linux-*' 2>/dev/null | head -n 1; }

# usable BIN: succeed if BIN has a server that is new enough, with pgvector.
usable() {
  local bin=$1 prefix=${1%/usr/lib/postgresql/*} lib= have control
  [ -x "$bin/postgres" ] && [ -x "$bin/initdb" ] && [ -x "$bin/pg_config" ] || return 1
  [ "$prefix" = "$bin" ] || [ -z "$prefix" ] || lib=$(libs "$prefix")
  have=$(LD_LIBRARY_PATH=$lib "$bin/postgres" --version 2>/dev/null | grep -oE '[0-9]+' | head -n 1)
  [ "${have:-0}" -ge "$min_server" ] || return 1
  control=$(LD_LIBRARY_PATH=$lib "$bin/pg_config" --sharedir)/extension/vector.control
  [ -r "$control" ] || return 1
  have=$(sed -n "s/^default_version *= *'\(.*\)'.*/\1/p" "$control")
  at_least "$have" "$min_vector"
}

have_postgres() {
  local bin
  [ -z "${DATABASE_URL:-}${DOCQA_TEST_DATABASE_URL:-}" ] || return 0 # a server of the operator's
  if [ -n "${PG_BIN:-}" ]; then
    usable "$PG_BIN" || die "PG_BIN=$PG_BIN has no PostgreSQL >= $min_server with pgvector >= $min_vector"
    return 0
  fi
  while read -r bin; do
    if usable "$bin"; then return 0; fi
  done < <(ls -d "$home/root"/usr/lib/postgresql/*/bin /usr/lib/postgresql/*/bin \
    /opt/homebrew/opt/postgresql@*/bin /usr/local/opt/postgresql@*/bin /usr/pgsql-*/bin 2>/dev/null | sort -rV)
  return 1
}

have_pdftotext() {
  local have
  have=$(PATH=$home/bin:$PATH pdftotext -v 2>&1 | sed -n 's/^pdftotext version //p') || true
  [ -n "$have" ] && at_least "$have" "$min_poppler"
}

have_compiler() { PATH=$home/bin:$PATH CGO_ENABLED='' "$root/tools/cgo.sh" | grep -q CGO_ENABLED=1; }

have_python() {
  [ -s "$root/.data/models/all-MiniLM-L6-v2/model.onnx" ] || [ -x "$home/bin/python3" ] ||
    python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

# have_embeddings: whether the embedding model can be built and installed, or is not wanted.
have_embeddings() { [ -n "${EMBEDDINGS:-}" ] || { have_compiler && have_python; }; }

# ---- a folder that the server's user can reach -----------------------------

# The server never runs as root. If other users cannot reach this clone (for
# example below a home folder of mode 0700), .pg is a link to a folder in /var/tmp.
reachable() {
  local dir=$1
  while [ "$dir" != / ]; do
    case $(stat -c %a "$dir") in *[1357]) ;; *) return 1 ;; esac
    dir=$(dirname "$dir")
  done
}

prepare_home() {
  if is_root && [ ! -L "$home" ] && ! reachable "$root"; then
    local away
    away=/var/tmp/docqa-$(printf %s "$root" | sha256sum | cut -c 1-12)
    mkdir -p -m 755 "$away"
    [ -O "$away" ] && [ ! -L "$away" ] || die "$away belongs to somebody else: remove it"
    mkdir -p "$away/pg"
    rm -rf "$home"
    ln -s "$away/pg" "$home"
    say "only root can reach $root: keeping PostgreSQL in $away"
  elif [ -L "$home" ]; then
    mkdir -p "$(readlink -m "$home")"
  fi
  mkdir -p "$home"
  home=$(cd "$home" && pwd -P)
}

# ---- apt with its own folders, so that it does not need root ---------------

prepare_apt() {
  apt=$home/apt
  mkdir -p "$apt"/lists/partial "$apt"/cache/archives/partial
  cat >"$apt/apt.conf" <<CONF
Dir::State::Lists "$apt/lists";
Dir::Cache "$apt/cache";
Dir::State::status "/var/lib/dpkg/status";
APT::Sandbox::User "";
Debug::NoLocking "1";
CONF
  say "reading the package lists"
  private apt-get -qq update >"$home/log" 2>&1 || true
}

private() { APT_CONFIG=$apt/apt.conf "$@"; }

# newest PACKAGE: print the newest version in the archive, or nothing.
newest() { { private apt-cache show "$1" 2>/dev/null || true; } | sed -n 's/^Version: //p' | sort -rV | head -n 1; }

# lacking PACKAGE…: print those of the packages and their dependencies that are not installed.
lacking() {
  { private apt-get -s --no-install-recommends install "$@" 2>/dev/null || true; } | awk '$1 == "Inst" { print $2 }'
}

# unpack DIR PACKAGE…: unpack the files of the packages below DIR without installing them.
unpack() {
  local dir=$1 deb
  shift
  rm -rf "$apt/debs"
  mkdir -p "$apt/debs" "$dir"
  (cd "$apt/debs" && private apt-get -qq download "$@" >>"$home/log" 2>&1) || return 1
  for deb in "$apt"/debs/*.deb; do dpkg -x "$deb" "$dir"; done
  # Old packages have their libraries in /lib instead of /usr/lib.
  if [ -d "$dir/lib" ] && [ ! -L "$dir/lib" ]; then
    mkdir -p "$dir/usr/lib"
    cp -a "$dir/lib/." "$dir/usr/lib/"
    rm -rf "$dir/lib"
  fi
  rm -rf "$apt/debs"
}

# install PACKAGE…: install the packages by apt. Fails for users other than root.
install() {
  is_root || return 1
  say "installing $*"
  DEBIAN_FRONTEND=noninteractive private apt-get -qq -y --no-install-recommends -o Debug::NoLocking=0 \
    -o Dpkg::Use-Pty=0 install "$@" >>"$home/log" 2>&1
}

# ---- PostgreSQL and pgvector -----------------------------------------------

get_postgres() {
  local major= m vector packages new=$home/root.new
  for m in ${PG_MAJORS:-18 17 16 15}; do
    if [ -n "$(newest "postgresql-$m")" ]; then major=$m; break; fi
  done
  [ -n "$major" ] || die "the package archive offers no PostgreSQL >= $min_server. $by_hand"
  vector=$(newest "postgresql-$major-pgvector")
  packages="postgresql-$major postgresql-client-$major libpq5"
  if [ -n "$vector" ] && at_least "${vector%%-*}" "$min_vector"; then
    packages="$packages postgresql-$major-pgvector"
  else
    vector=
    packages="$packages postgresql-server-dev-$major"
  fi
  # Of the server's dependencies, only the shared libraries that are missing here.
  packages="$packages $(lacking "postgresql-$major" "postgresql-client-$major" | grep '^lib' | grep -v -e perl -e '^libpq5$' || true)"

  say "unpacking PostgreSQL $major below .pg (the system is not changed)"
  rm -rf "$new"
  # shellcheck disable=SC2086 # a list of package names
  unpack "$new" $packages || die "could not fetch: $packages. $by_hand"
  [ -n "$vector" ] || build_vector "$new" "$major"
  rm -rf "$home/root"
  mv "$new" "$home/root"
  have_postgres || die "what was unpacked below $home does not run: see $home/log. $by_hand"
}

# build_vector DIR MAJOR: build pgvector from Debian's sources for the server in DIR.
build_vector() {
  local dir=$1 bin=$1/usr/lib/postgresql/$2/bin src=$home/src
  have_compiler || get_compiler || die "building pgvector needs gcc: sudo apt-get install -y gcc libc6-dev"
  fetch_vector "$src"
  say "building pgvector $(sed -n 's/^EXTVERSION *= *//p' "$src/Makefile")"
  # with_llvm=no: clang is not needed. OPTFLAGS=: the result runs on other processors too.
  PATH=$home/bin:$PATH LD_LIBRARY_PATH=$(libs "$dir") make -s -C "$src" -j "$(nproc)" CC=gcc with_llvm=no OPTFLAGS= \
    PG_CONFIG="$bin/pg_config" all install >>"$home/log" 2>&1 || die "pgvector did not build: see $home/log. $by_hand"
  rm -rf "$src"
}

# fetch_vector DIR: fetch pgvector's source package. apt checks the archive's signature.
fetch_vector() {
  local dir=$1 mirror keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep -m 1 -E '/debian/?$' || true)}
  [ -n "$mirror" ] && [ -r "$keyring" ] || die "no pgvector >= $min_vector here. $by_hand"
  say "fetching the sources of pgvector"
  mkdir -p "$apt"/src-lists/partial "$apt"/src-cache/archives/partial
  echo "deb-src [signed-by=$keyring] $mirror trixie main" >"$apt/src.list"
  cat >"$apt/src.conf" <<CONF
Dir::Etc::SourceList "$apt/src.list";
Dir::Etc::SourceParts "-";
Dir::State::Lists "$apt/src-lists";
Dir::Cache "$apt/src-cache";
APT::Sandbox::User "";
CONF
  rm -rf "$dir"
  mkdir -p "$dir" "$apt/dsc"
  APT_CONFIG=$apt/src.conf apt-get -qq update >>"$home/log" 2>&1 || true
  (cd "$apt/dsc" && APT_CONFIG=$apt/src.conf apt-get -qq source --only-source --download-only pgvector >>"$home/log" 2>&1) ||
    die "could not fetch the sources of pgvector: see $home/log. $by_hand"
  tar xf "$apt"/dsc/pgvector_*.orig.tar.* -C "$dir" --strip-components=1
}

# ---- what the embedding model needs -----------------------------------------

# wrap NAME TREE PROGRAM [ARGUMENT…]: write .pg/bin/NAME, which runs a program of an unpacked tree
# with its libraries. It works from every folder.
wrap() {
  local name=$1 tree=$2 program=$3
  shift 3
  mkdir -p "$home/bin"
  cat >"$home/bin/$name" <<WRAPPER
#!/bin/sh
tree=\$(/usr/bin/dirname "\$(/usr/bin/readlink -f "\$0")")/../$tree
for lib in "\$tree"/usr/lib/*-linux-*; do LD_LIBRARY_PATH=\$lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}; done
PATH=\$tree/usr/bin:\$PATH
export LD_LIBRARY_PATH PATH
exec "\$tree/usr/bin/$program" $* "\$@"
WRAPPER
  chmod 755 "$home/bin/$name"
}

# unpack_tree DIR WHAT PACKAGE…: unpack packages into .pg/DIR; what it held is removed.
unpack_tree() {
  local dir=$home/$1
  say "unpacking $2 below .pg"
  shift 2
  rm -rf "$dir"
  unpack "$dir" "$@"
}

# get_compiler: install gcc, or unpack it with libc in .pg/cc.
get_compiler() {
  if install gcc libc6-dev && have_compiler; then return 0; fi
  # shellcheck disable=SC2046 # a list of package names
  unpack_tree cc "a C compiler" $(lacking gcc libc6-dev) libc6 libgcc-s1 || return 1
  # The linker's scripts name /lib and /lib64, which are looked up below the sysroot.
  [ -e "$home/cc/lib" ] || ln -s usr/lib "$home/cc/lib"
  [ -e "$home/cc/lib64" ] || ln -s usr/lib64 "$home/cc/lib64"
  wrap gcc cc gcc '--sysroot="$tree"'
  have_compiler
}

# get_python: install Python, or unpack it in .pg/python.
get_python() {
  if install python3 python3-venv && have_python; then return 0; fi
  # shellcheck disable=SC2046 # a list of package names
  unpack_tree python Python $(lacking python3 python3-venv) python3-pip-whl || return 1
  wrap python3 python python3
  have_python
}

get_embeddings() {
  have_compiler || get_compiler || { say "no C compiler could be installed: search will use keywords only"; return 0; }
  have_python || get_python || say "no Python could be installed: search will use keywords only"
}

# ---- pdftotext -------------------------------------------------------------

get_pdftotext() {
  if install poppler-utils && have_pdftotext; then return 0; fi
  # shellcheck disable=SC2046 # a list of package names
  unpack_tree poppler.new poppler-utils poppler-utils $(lacking poppler-utils | grep '^lib' || true) ||
    die "pdftotext is missing: sudo apt-get install -y poppler-utils"
  rm -rf "$home/poppler"
  mv "$home/poppler.new" "$home/poppler"
  mkdir -p "$home/bin"
  # It must also work by its path and with an empty environment.
  cat >"$home/bin/pdftotext" <<'WRAPPER'
#!/bin/sh
tree=$(/usr/bin/dirname "$(/usr/bin/readlink -f "$0")")/../poppler
for lib in "$tree"/usr/lib/*-linux-*; do LD_LIBRARY_PATH=$lib; done
export LD_LIBRARY_PATH
exec "$tree/usr/bin/pdftotext" "$@"
WRAPPER
  chmod 755 "$home/bin/pdftotext"
  have_pdftotext || die "pdftotext >= $min_poppler is missing: sudo apt-get install -y poppler-utils"
}

# ---- in order --------------------------------------------------------------

by_hand="Install PostgreSQL >= $min_server with pgvector >= $min_vector and set PG_BIN to its bin folder, or set DATABASE_URL"

if have_postgres && have_pdftotext && have_embeddings; then exit 0; fi
if have_postgres && have_pdftotext && ! command -v apt-get >/dev/null; then
  say "the embedding model needs a C compiler and Python 3.11 with venv: without them search uses keywords only"
  exit 0
fi
if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
  die "needs PostgreSQL >= $min_server with pgvector >= $min_vector, and poppler. macOS: brew install postgresql@17 pgvector poppler. Fedora and the like: dnf install postgresql-server pgvector poppler-utils"
fi
prepare_home
exec 9>"$home/lock"
flock 9
if have_postgres && have_pdftotext && have_embeddings; then exit 0; fi
prepare_apt
have_pdftotext || get_pdftotext
have_postgres || get_postgres
have_embeddings || get_embeddings
rm -rf "$apt"
say "done"
