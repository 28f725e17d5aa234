type Options = {
  /** The command that exports the key; by default, it reads the key of the first start. */
  exportKey?: string
  /** The URL of the server if it is not the default one of the command line. */
  server?: string | undefined
}

/**
 * Returns the shell commands of a first upload. The API reference and the message of the first start show them, and
 * README.md contains the same commands. The application accepts Android and iOS apps as well, so that those can be
 * uploaded next.
 */
export const quickStart = ({
  exportKey = 'export QUAYSIDE_API_KEY="$(cat data/first-key)"',
  server,
}: Options = {}): string[] => [
  exportKey,
  ...(server === undefined ? [] : [`export QUAYSIDE_SERVER=${server}`]),
  'npx @quayside/cli applications create "My app" --platform generic --platform android --platform ios',
  'npx @quayside/cli upload ./my-app-1.0.0.zip --application "My app" --version 1.0.0',
  'npx @quayside/cli builds list --application "My app"',
]
