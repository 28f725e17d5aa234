#!/usr/bin/env bash
# Installs bundletool for the test of universal APKs. The npm package of the NativeScript CLI contains it.
set -euo pipefail

folder=/usr/local/share/quayside-test-tools
checksum=38ae8a10bcdacef07ecce8211188c5c92b376be96da38ff3ee1f2cf4895b2cb8
path=package/vendor/aab-tool/bundletool.jar
if [ -e "$folder/bundletool.jar" ]; then exit 0; fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo -n); fi
download=$(mktemp -d)
trap 'rm -rf "$download"' EXIT
cd "$download"
npm pack --silent nativescript@8.9.3 >/dev/null
tar -xzf nativescript-8.9.3.tgz "$path"
echo "$checksum  $path" | sha256sum --check --quiet
"${as_root[@]}" install -D -m 644 "$path" "$folder/bundletool.jar"
