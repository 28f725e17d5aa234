import { isAbsolute, relative } from 'node:path'
import type { Config } from '../config/config.ts'
import { quickStart } from '../http/reference/quick-start.ts'
import { localNetwork, type LocalNetwork } from '../http/wire/local-network.ts'
import { shellQuote } from '../lib/shell-quote.ts'
import { terminalCode, type Terminal } from './terminal-code.ts'

/** What `createApp` returns, as far as the message needs it. */
type Started = {
  url: string
  listenUrl: string | undefined
  hasBuilds: boolean
  databaseLocation: string | undefined
  setupUrl: string | undefined
  firstKeyPath: string | undefined
  deps: { config: Pick<Config, 'dataDir' | 'bootstrapKey' | 'warnings' | 'role' | 'port'> }
}

const noTerminal: Terminal = { isTTY: false, columns: undefined, env: {} }
const indent = 2

const defaultUrl = 'http://localhost:4400'

/**
 * Returns the message printed after startup: the URLs of the service, warnings about its settings and, until there is a
 * build, the commands for a first upload. `folder` is the working directory. `network` is how devices in the network of this
 * computer could reach the service if it is only available on this computer. If they can reach it at an address of the local
 * network, an interactive terminal also shows the address as a QR code.
 */
export function welcome(
  { url, listenUrl, hasBuilds, deps, databaseLocation, setupUrl, firstKeyPath }: Started,
  folder: string,
  {
    network = localNetwork({ publicUrl: url, port: deps.config.port }),
    terminal = noTerminal,
  }: { network?: LocalNetwork | null; terminal?: Terminal } = {},
): string {
  const { dataDir, bootstrapKey, warnings, role } = deps.config
  if (role === 'worker') return `\n  This node of Quayside runs background jobs.  Data: ${dataDir}\n\n`
  const key =
    bootstrapKey !== undefined
      ? 'the value of QUAYSIDE_BOOTSTRAP_KEY'
      : firstKeyPath === undefined
        ? 'one of your existing keys (or start once with QUAYSIDE_BOOTSTRAP_KEY set)'
        : `stored in ${firstKeyPath}`
  const exportKey =
    bootstrapKey !== undefined
      ? 'export QUAYSIDE_API_KEY="$QUAYSIDE_BOOTSTRAP_KEY"'
      : firstKeyPath === undefined
        ? 'export QUAYSIDE_API_KEY=…'
        : `export QUAYSIDE_API_KEY="$(cat ${shellQuote(shortPath(firstKeyPath, folder))})"`
  const server = url === defaultUrl ? undefined : shellQuote(url)
  const isDatabaseElsewhere = databaseLocation?.startsWith(dataDir) === false
  const lines = [
    `Quayside is ready:  ${url}`,
    ...(listenUrl === undefined ? [] : [`Listening on:       ${listenUrl}`]),
    ...(setupUrl === undefined ? [] : [`Set up the console: ${setupUrl}`]),
    ...(typeof network?.command === 'string' ? [`Local network:      ${network.command}`] : []),
    `Documentation:      ${url}/docs`,
    `API reference:      ${url}/api/v1/docs`,
    `Data:               ${dataDir}${isDatabaseElsewhere ? `, database in ${databaseLocation}` : ''}`,
    `Workspace key:      ${key}`,
    ...phoneLines(url, terminal),
    ...warnings.flatMap((warning) => ['', `Warning: ${warning}`]),
    ...(hasBuilds
      ? []
      : [
          '',
          'Your first upload, from another terminal in this folder:',
          '',
          ...quickStart({ exportKey, server }).map((command) => `  ${command}`),
        ]),
  ]
  return `\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`
}

/** Returns the address for phones with its QR code if it is one of the local network. */
function phoneLines(url: string, terminal: Terminal): string[] {
  const { hostname } = new URL(url)
  if (!isLocalNetworkHost(hostname)) return []
  const code = terminalCode(url, terminal, indent)
  return code.length === 0 ? [] : ['', `On phones in your network, open ${url} or scan:`, '', ...code]
}

/** Returns whether a public URL with this host is that of a server at home or in an office. */
const isLocalNetworkHost = (hostname: string): boolean =>
  hostname.endsWith('.local') || /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(hostname)

/** Returns the path relative to the folder if it is inside, otherwise the absolute path. */
function shortPath(path: string, folder: string): string {
  const short = relative(folder, path)
  if (short.startsWith('..') || isAbsolute(short)) return path
  // A command would parse a path that starts with a hyphen as an option.
  return short.startsWith('-') ? `./${short}` : short
}
