import { readFileSync } from 'node:fs'

// A server that offers the CLI for download replaces this module in the bundle.

const packageJson = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
export const { version } = JSON.parse(packageJson) as { version: string }

/** URL of the server that commands use if none is selected. */
export const defaultServer: string = 'http://localhost:4400'
