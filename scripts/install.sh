#!/bin/sh
# Installs bub: downloads the program for this machine from the releases, compares its checksum with
# the one published there, starts it once, and only then puts it in place, in one step.
#
#   sh install.sh
#
# BUB_VERSION      a release such as 0.1.0; the newest by default
# BUB_INSTALL_DIR  the folder the program goes to; ~/.local/bin by default
# BUB_RELEASES     the address of the releases, if this copy does not know it
#
# Needs curl or wget (curl where there is a choice), and sha256sum, shasum or openssl.
set -eu

# The release workflow fills this in for the copy that it attaches to a release.
RELEASES=''

main() {
  releases=${BUB_RELEASES:-$RELEASES}
  [ -n "$releases" ] ||
    fail 'this copy does not know where the releases are; take the one attached to a release, or set BUB_RELEASES'
  check_address "$releases"
  folder=${BUB_INSTALL_DIR:-${HOME:+$HOME/.local/bin}}
  [ -n "$folder" ] || fail 'HOME is not set; set BUB_INSTALL_DIR to the folder that bub is to go to'
  target=$(find_target)
  address=$(find_address "${releases%/}")
  check_place

  umask 022
  mkdir -p "$folder" || fail "the folder $folder cannot be made; set BUB_INSTALL_DIR to another"
  # In the same folder, so that the last step is a rename, which happens whole or not at all.
  work=
  child=
  trap clean_up EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  work=$(mktemp -d "$folder/.bub-install.XXXXXX") ||
    fail "nothing can be written to $folder; set BUB_INSTALL_DIR to another folder"

  name=bub-$target
  download "$address/SHA256SUMS" "$work/SHA256SUMS"
  expected=$(checksum_of "$name" "$work/SHA256SUMS")
  [ -n "$expected" ] || fail "SHA256SUMS of this release has no checksum of $name; nothing was installed"
  say "downloading $name"
  download "$address/$name" "$work/bub"
  actual=$(sha256 "$work/bub")
  [ "$actual" = "$expected" ] ||
    fail "the checksum of $name is $actual, but must be $expected; nothing was installed"
  chmod 755 "$work/bub"
  version=$("$work/bub" --version </dev/null) || version=
  case $version in
  'bub '[0-9]*) ;;
  *) fail "$name does not start on this machine; nothing was installed" ;;
  esac
  mv -f "$work/bub" "$folder/bub"
  say "$version is installed: $folder/bub"
  advise
}

say() {
  printf 'bub: %s\n' "$1" >&2
}

fail() {
  say "$1"
  exit 1
}

clean_up() {
  [ -z "$child" ] || kill "$child" 2>/dev/null || :
  [ -z "$work" ] || rm -rf "$work"
}

# The checksum comes from the same place, so what is on the way must be safe. Nothing is let through
# that could be read in two ways: a user name can look like a host.
check_address() {
  case $1 in
  *[!0-9A-Za-z.:/_~%+-]*) ;;
  https://[0-9A-Za-z]*) return ;;
  http://127.0.0.1:[0-9]* | http://localhost:[0-9]*)
    port=${1#http://*:}
    case ${port%%/*} in *[!0-9]*) ;; *) return ;; esac
    ;;
  esac
  fail "BUB_RELEASES must be a plain address that begins with https://, but is $1"
}

find_target() {
  system=$(uname -s)
  machine=$(uname -m)
  case $system in
  Linux)
    if is_musl; then
      fail 'this system has musl in place of glibc, which bub needs; use a glibc container (docs/ci.md), or bub from source'
    fi
    vendor=unknown-linux-gnu
    ;;
  Darwin)
    vendor=apple-darwin
    # A shell under Rosetta is told the other machine.
    [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || :)" != 1 ] || machine=arm64
    ;;
  MINGW* | MSYS* | CYGWIN*) fail 'this is Windows; use install.ps1' ;;
  *) fail "there is no bub for $system; there is for Linux, macOS and Windows" ;;
  esac
  case $machine in
  x86_64 | amd64) echo "x86_64-$vendor" ;;
  aarch64 | arm64) echo "aarch64-$vendor" ;;
  *) fail "there is no bub for $machine under $system; there is for x86_64 and aarch64" ;;
  esac
}

is_musl() {
  if getconf GNU_LIBC_VERSION >/dev/null 2>&1; then return 1; fi
  ldd --version 2>&1 | grep -qi musl
}

find_address() {
  case ${BUB_VERSION:-latest} in
  latest) echo "$1/latest/download" ;;
  *[!0-9A-Za-z.+-]*) fail "BUB_VERSION must be a release such as 0.1.0, but is $BUB_VERSION" ;;
  *) echo "$1/download/v${BUB_VERSION#v}" ;;
  esac
}

# The Python program Bub has the same name, and its installers put links and scripts into the same
# folder: what is no program of this kind is not replaced.
check_place() {
  place=$folder/bub
  [ ! -d "$place" ] || fail "$place is a folder; set BUB_INSTALL_DIR to another"
  [ -e "$place" ] || [ -L "$place" ] || return 0
  if [ -L "$place" ] || [ "$(head -c 2 "$place")" = '#!' ]; then
    fail "$place is another program, maybe Bub for Python; remove it, or set BUB_INSTALL_DIR to another folder"
  fi
}

# download ADDRESS FILE: in the background, so that a signal is handled at once.
download() {
  log=
  if command -v curl >/dev/null 2>&1; then
    curl --fail --silent --show-error --location --proto-redir =https \
      --connect-timeout 30 --speed-limit 1 --speed-time 60 --output "$2" "$1" &
  elif command -v wget >/dev/null 2>&1; then
    # Wget of BusyBox has neither option, and dies of its own word for the time limit.
    limits=
    case $(wget --help 2>&1) in *--tries*) limits='--tries=1 --timeout=60' ;; esac
    log=$2.log
    # shellcheck disable=SC2086
    wget -q -S $limits -O "$2" "$1" 2>"$log" &
  else
    fail 'curl or wget is needed, and neither was found'
  fi
  child=$!
  status=0
  wait "$child" || status=$?
  child=
  if [ "$status" != 0 ]; then
    [ -z "$log" ] || grep . "$log" >&2 || :
    fail "$1 could not be downloaded; nothing was installed"
  fi
  [ -z "$log" ] || check_way "$1" "$log"
}

# check_way ADDRESS LOG: wget follows a redirect to anywhere, and that of BusyBox may not look whose
# certificate it gets. By what it said, it is seen before anything of the file is used.
check_way() {
  fault=$(awk '
    { sub(/\r$/, "") }
    tolower($1) == "location:" && tolower($2) !~ /^(https:\/\/|\/[^\/])/ { print "redirects to " $2; exit }
    /certificate validation not implemented/ { print "cannot be trusted, since this wget checks no certificate"; exit }
  ' "$2")
  [ -z "$fault" ] || fail "$1 $fault; nothing was installed; with curl it may work"
}

# checksum_of NAME FILE: nothing where there is none, or what stands there is no checksum.
checksum_of() {
  awk -v name="$1" '
    { sub(/\r$/, "") }
    ($2 == name || $2 == "*" name) && $1 ~ /^[0-9A-Fa-f]+$/ && length($1) == 64 { print tolower($1); exit }
  ' "$2"
}

sha256() {
  if command -v sha256sum >/dev/null 2>&1; then
    line=$(sha256sum <"$1")
  elif command -v shasum >/dev/null 2>&1; then
    line=$(shasum -a 256 <"$1")
  elif command -v openssl >/dev/null 2>&1; then
    line=$(openssl dgst -sha256 -r <"$1")
  else
    fail 'sha256sum, shasum or openssl is needed to check the download, and none was found'
  fi
  echo "${line%% *}"
}

advise() {
  found=$(command -v bub || :)
  case :$PATH: in
  *:"$folder":*)
    [ -z "$found" ] || [ "$found" = "$folder/bub" ] ||
      say "note: the command bub is still $found, which comes first on PATH"
    ;;
  *) say "note: $folder is not on PATH; add it with: export PATH=\"$folder:\$PATH\"" ;;
  esac
}

# At the end: of a script that was cut off on its way nothing runs.
main
