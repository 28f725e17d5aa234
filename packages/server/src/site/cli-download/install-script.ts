import { shellQuote } from '../../lib/shell-quote.ts'

/**
 * Returns a POSIX shell script that installs the CLI of the server at `serverUrl` for the current user. The script
 * rejects a download whose SHA-256 differs from `sha256`.
 */
export function installScript(serverUrl: string, sha256: string): string {
  return `#!/bin/sh
# Installs the Quayside command line from ${serverUrl.replaceAll(/\s/g, '')}.
#
#   curl -fsSL ${serverUrl.replaceAll(/\s/g, '')}/cli/install.sh | sh
#
# QUAYSIDE_INSTALL_DIR is the folder of the \`quayside\` command (default: ~/.local/bin).
set -eu

fail() {
  echo "quayside: $1" >&2
  exit 1
}

# The shell runs the last line only after it has read the whole script, so an incomplete download has no effect.
install() {
  server=${shellQuote(serverUrl)}
  sha256='${sha256}'
  [ -n "\${HOME:-}" ] || fail 'HOME is not set. Set it, or set QUAYSIDE_INSTALL_DIR and XDG_DATA_HOME.'
  bin="\${QUAYSIDE_INSTALL_DIR:-$HOME/.local/bin}"
  library="\${XDG_DATA_HOME:-$HOME/.local/share}/quayside"
  program="$library/quayside.mjs"

  command -v node > /dev/null 2>&1 || fail 'Node.js 20 or newer is required. Install it from https://nodejs.org/.'
  node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' ||
    fail "Node.js 20 or newer is required; this is $(node --version). Install it from https://nodejs.org/."

  mkdir -p "$bin" "$library" || fail "Cannot create $bin and $library. Set QUAYSIDE_INSTALL_DIR to a writable folder."
  download="$program.$$"
  trap 'rm -f "$download"' EXIT
  if command -v curl > /dev/null 2>&1; then
    curl -fsSL "$server/cli/quayside.mjs" -o "$download" || fail "Cannot download $server/cli/quayside.mjs. Check that the server is running, then try again."
  elif command -v wget > /dev/null 2>&1; then
    wget -q "$server/cli/quayside.mjs" -O "$download" || fail "Cannot download $server/cli/quayside.mjs. Check that the server is running, then try again."
  else
    fail 'curl or wget is required. Install one of them.'
  fi
  node -e '
    const hash = require("node:crypto").createHash("sha256")
    hash.update(require("node:fs").readFileSync(process.argv[1]))
    process.exit(hash.digest("hex") === process.argv[2] ? 0 : 1)
  ' "$download" "$sha256" || fail 'The download is damaged. Run the installation again.'

  chmod 755 "$download"
  mv -f "$download" "$program"
  ln -sf "$program" "$bin/quayside"
  echo "Installed quayside $("$bin/quayside" --version) in $bin."
  case ":$PATH:" in
    *":$bin:"*) ;;
    *) echo "Add the folder to your PATH: export PATH=\\"$bin:\\$PATH\\"" ;;
  esac
}

install
`
}
