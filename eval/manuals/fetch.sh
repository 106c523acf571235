#!/bin/sh
# Gets the manuals of documents.txt from Debian's archive, as it is configured on this machine, and writes the sets for "make eval" and
# "make learn": OUT/<set>/docs/<file> and OUT/<set>/questions.jsonl.
#
# Usage: eval/manuals/fetch.sh OUT
#
# It needs: apt-get, dpkg-deb, man, col, gzip, pdftotext (package poppler-utils), go. The programs groff (for PDF and HTML) and mandoc are
# taken from their packages and not installed. An existing OUT/.packages is used again.
set -eu

[ $# -eq 1 ] || { echo "usage: $0 OUT" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
for tool in apt-get dpkg-deb man col gzip pdftotext go; do
	command -v "$tool" >/dev/null || { echo "$tool is missing (pdftotext is in the package poppler-utils)" >&2; exit 1; }
done
packages=$out/.packages
tools=$out/.tools
mkdir -p "$packages" "$tools"

# unpack PACKAGE FOLDER gets a package and unpacks it.
unpack() {
	[ -d "$2" ] && return
	echo "get $1" >&2
	scratch=$(mktemp -d "$out/.download.XXXXXX")
	chmod 755 "$scratch"
	(cd "$scratch" && apt-get -qq -o APT::Sandbox::User=root download "$1" >&2)
	mkdir -p "$2.new"
	dpkg-deb -x "$scratch"/*.deb "$2.new"
	dpkg-deb -f "$scratch"/*.deb Package Version | tr '\n' ' ' >>"$packages/versions.txt"
	echo >>"$packages/versions.txt"
	rm -r "$scratch"
	mv "$2.new" "$2"
}

# contents PACKAGE names the package that holds the files: python3-doc only depends on the one of the current version.
contents() {
	case $1 in
	python3-doc) apt-cache depends --important "$1" | sed -n 's/.*Depends: \(python3\.[0-9]*-doc\).*/\1/p' | head -n 1 ;;
	*) echo "$1" ;;
	esac
}

unpack mandoc "$tools/mandoc"
unpack groff "$tools/groff"
mandoc=$tools/mandoc/usr/bin/mandoc
release=$(ls "$tools/groff/usr/share/groff" | grep '^[0-9]' | head -n 1)

# with_groff runs a command with the fonts and macros of the unpacked package before those of groff-base, and
# without the date, so that the documents are the same each time.
with_groff() {
	SOURCE_DATE_EPOCH=0 \
	PATH=$tools/groff/usr/bin:$PATH \
	GROFF_BIN_PATH=$tools/groff/usr/bin:/usr/bin \
	GROFF_FONT_PATH=$tools/groff/usr/share/groff/$release/font \
	GROFF_TMAC_PATH=$tools/groff/usr/share/groff/$release/tmac:/usr/share/groff/$release/tmac \
		"$@"
}

# render FORM SOURCE TARGET. Words are not hyphenated, so that quotes can be found.
render() {
	case $1 in
	file) cp "$2" "$3" ;;
	gzip) gzip -dc "$2" >"$3" ;;
	man-text) MANWIDTH=80 man -l --nh --nj --encoding=utf8 "$2" 2>/dev/null | col -bx >"$3" ;;
	man-html) gzip -dc "$2" | "$mandoc" -T html >"$3" ;;
	man-groff-html) gzip -dc "$2" | with_groff groff -k -mandoc -rHY=0 -T html >"$3" 2>/dev/null ;;
	man-pdf) gzip -dc "$2" | with_groff groff -k -t -mandoc -rHY=0 -T pdf >"$3" ;;
	*) echo "unknown form $1" >&2; exit 1 ;;
	esac
}

grep -v '^#' "$here/documents.txt" | while IFS='	' read -r set package form name path; do
	folder=$packages/$package
	unpack "$(contents "$package")" "$folder"
	# The folders of a package are named after its version; a later version has other ones.
	source=$folder/$path
	[ -e "$source" ] || source=$(find "$folder" -path "*/$(basename "$(dirname "$path")")/$(basename "$path")" | head -n 1)
	if [ ! -e "$source" ]; then
		echo "$package has no $path: left out" >&2
		continue
	fi
	mkdir -p "$out/$set/docs"
	render "$form" "$source" "$out/$set/docs/$name"
	# The questions on a PDF are made from the same page as plain text.
	if [ "$form" = man-pdf ]; then
		mkdir -p "$out/.plain/$set"
		render man-text "$source" "$out/.plain/$set/$name.txt"
	fi
done


cd "$here/.."
exec go run ./manuals/cmd/manuals "$out"
