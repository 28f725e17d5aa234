#!/bin/sh
# Installs the Quayside command line @VERSION@ for Linux or macOS.
#
#   sh install.sh [--from <URL or folder of the release>] [--prefix <folder>]
#
# The signature of the checksums and the checksum of the download are verified before anything is installed. The default
# prefix is ~/.local, so that the command is ~/.local/bin/quayside.
set -eu

version='@VERSION@'
default_source='@URL@'
minisign_key='@MINISIGN_KEY@'
ssh_signer='@SSH_SIGNER@'

fail() {
  echo "quayside: $1" >&2
  exit 1
}

has() {
  command -v "$1" > /dev/null 2>&1
}

# Prints the name of the platform in the names of the archives.
find_target() {
  case "$(uname -s) $(uname -m)" in
    'Linux x86_64') target=linux-x64 ;;
    'Linux aarch64' | 'Linux arm64') target=linux-arm64 ;;
    'Darwin arm64') target=macos-arm64 ;;
    'Darwin x86_64')
      target=macos-x64
      # Programs that Rosetta translates see an Intel processor.
      if [ "$(sysctl -n sysctl.proc_translated 2> /dev/null || true)" = 1 ]; then target=macos-arm64; fi
      ;;
    *) fail "There is no executable for $(uname -s) $(uname -m). With Node.js 20 or newer, run npx @quayside/cli instead." ;;
  esac
  for library in /lib/ld-musl-*; do
    if [ -e "$library" ] && [ ! -e /lib64/ld-linux-x86-64.so.2 ] && [ ! -e /lib/ld-linux-aarch64.so.1 ]; then
      fail 'The executable requires glibc, which this system does not have. With Node.js 20 or newer, run npx @quayside/cli instead.'
    fi
  done
  echo "$target"
}

# Copies a file of the release to the current folder.
fetch() {
  case "$source" in
    http://* | https://*)
      if has curl; then
        curl -fsSL "$source/$1" -o "$1"
      elif has wget; then
        wget -q "$source/$1" -O "$1"
      else
        fail 'curl or wget is required. Install one of them.'
      fi
      ;;
    *) cp "$source/$1" "$1" ;;
  esac || fail "Cannot read $source/$1. Check the address, then try again."
}

verify_signature() {
  if has minisign; then
    fetch SHA256SUMS.minisig
    minisign -V -q -m SHA256SUMS -P "$minisign_key" > /dev/null 2>&1 || reject_signature
  elif has openssl && openssl version | grep -q '^OpenSSL [3-9]'; then
    fetch SHA256SUMS.minisig
    verify_with_openssl || reject_signature
  elif has ssh-keygen; then
    fetch SHA256SUMS.sshsig
    echo "$ssh_signer" > signers
    ssh-keygen -Y verify -f signers -I quayside -n quayside-release -s SHA256SUMS.sshsig \
      < SHA256SUMS > /dev/null 2>&1 || reject_signature
  else
    fail 'The signature cannot be verified without minisign, OpenSSL 3 or ssh-keygen. Install one of them, then try again.'
  fi
}

reject_signature() {
  fail "The signature of $source/SHA256SUMS is not valid. Nothing was installed. Do not use these files."
}

# A minisign signature is an Ed25519 signature of the BLAKE2b digest. A second one covers the first one and the comment.
verify_with_openssl() {
  printf '%s' "$minisign_key" | openssl base64 -d -A | tail -c 32 > key.raw || return 1
  { printf '\060\052\060\005\006\003\053\145\160\003\041\000' && cat key.raw; } > key.der
  sed -n 2p SHA256SUMS.minisig | tr -d '\r\n' | openssl base64 -d -A > signature || return 1
  [ "$(head -c 2 signature)" = ED ] || return 1
  tail -c 64 signature > signature.raw
  openssl dgst -blake2b512 -binary SHA256SUMS > signed || return 1
  verify_ed25519 signature.raw || return 1
  sed -n 4p SHA256SUMS.minisig | tr -d '\r\n' | openssl base64 -d -A > signature.global || return 1
  { cat signature.raw && sed -n '3s/^trusted comment: //p' SHA256SUMS.minisig | tr -d '\r\n'; } > signed
  verify_ed25519 signature.global
}

# Verifies the signature in a file over the file `signed`.
verify_ed25519() {
  openssl pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin -in signed -sigfile "$1" > /dev/null 2>&1
}

verify_checksum() {
  expected=$(awk -v name="$1" '$2 == name { print $1 }' SHA256SUMS)
  if has sha256sum; then
    actual=$(sha256sum "$1")
  elif has shasum; then
    actual=$(shasum -a 256 "$1")
  else
    actual=$(openssl dgst -sha256 -r "$1") || fail 'sha256sum, shasum or openssl is required. Install one of them.'
  fi
  [ "${actual%% *}" = "$expected" ] ||
    fail "The checksum of $1 differs from the signed one. Nothing was installed. Do not use this file."
}

# Each file is replaced in one step, so that a program that is running is not changed.
install_files() {
  (cd "$1" && find . -type f) | while read -r file; do
    mkdir -p "$prefix/${file%/*}"
    cp "$1/$file" "$prefix/$file.$$"
    mv -f "$prefix/$file.$$" "$prefix/$file"
  done
}

# The shell runs the last line only after it has read the whole script, so an incomplete download has no effect.
main() {
  source=$default_source
  prefix=${HOME:+$HOME/.local}
  while [ $# -gt 0 ]; do
    case "$1" in
      --from) source=${2:-} ;;
      --prefix) prefix=${2:-} ;;
      *) fail "Unknown option: $1. Usage: sh install.sh [--from <URL or folder>] [--prefix <folder>]" ;;
    esac
    [ $# -ge 2 ] || fail "$1 requires a value."
    shift 2
  done
  [ -n "$source" ] || fail 'Select the release: sh install.sh --from <URL or folder>'
  [ -n "$prefix" ] || fail 'HOME is not set. Select a folder: sh install.sh --prefix <folder>'
  source=${source%/}
  case "$source" in
    http://* | https://*) ;;
    *) source=$(cd "$source" 2> /dev/null && pwd) || fail 'The folder of the release does not exist.' ;;
  esac
  mkdir -p "$prefix/bin" 2> /dev/null || fail "Cannot create $prefix/bin. Select another folder with --prefix."
  [ -w "$prefix/bin" ] || fail "Cannot write to $prefix/bin. Select another folder with --prefix."
  prefix=$(cd "$prefix" && pwd)

  name="quayside-$version-$(find_target)"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' HUP INT TERM
  cd "$work"
  fetch SHA256SUMS
  verify_signature
  fetch "$name.tar.gz"
  verify_checksum "$name.tar.gz"
  tar -xzf "$name.tar.gz"
  "$name/bin/quayside" --version > /dev/null || fail 'The executable does not run on this system. Nothing was installed.'
  install_files "$name"
  echo "Installed quayside $version in $prefix/bin."
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "Add the folder to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
}

main "$@"
