type Options = {
  /** The command that exports the key; by default, it reads the key that the first start created. */
  exportKey?: string
  /** The URL of the server, unless it is the default of the CLI. */
  server?: string | undefined
}

/**
 * Returns the shell commands for a first upload. The API reference, the startup message and README.md contain them. The
 * application that they create also accepts Android and iOS apps, so that the user can upload those next.
 */
export const quickStart = ({
  exportKey = 'export QUAYSIDE_API_KEY="$(cat data/first-key)"',
  server,
}: Options = {}): string[] => [
  exportKey,
  ...(server === undefined ? [] : [`export QUAYSIDE_SERVER=${server}`]),
  'npx @quayside/cli applications create "My app" --platform generic --platform android --platform ios',
  'npx @quayside/cli upload /bin/sh --application "My app" --version 1.0.0',
  'npx @quayside/cli builds list --application "My app"',
]
