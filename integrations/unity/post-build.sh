#!/bin/sh
# Post-build script of Unity Build Automation. Uploads the player: a file, or a folder as an archive. README.md lists the
# variables.
set -eu
[ "${BUILD_RESULT:-success}" = success ] || exit 0
player="${UNITY_PLAYER_PATH:?This script runs in Unity Build Automation, which sets UNITY_PLAYER_PATH}"
launcher="$(dirname "$0")/Editor/upload.mjs"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ -d "$player" ]; then
  archive="$folder/$(basename "$player").tar.gz"
  tar -czf "$archive" -C "$(dirname "$player")" "$(basename "$player")"
  player=$archive
fi
QUAYSIDE_FILE=$player node "$launcher"
