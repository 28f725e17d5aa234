import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Plugin, transformWithOxc } from 'vite'
import { serverPlaceholder } from '../../packages/server/src/site/cli-download/bundle.ts'
import { buildProgram } from './program.ts'

const cli = join(import.meta.dirname, '../../packages/cli')

/** Builds the command line as a single file, `quayside.mjs`, in which the server that offers it writes its URL. */
export const buildCliDownload = (folder: string): Promise<void> => buildCli(folder, serverPlaceholder)

/** Builds the command line as a single file, `quayside.mjs`, that uses `defaultServer` if none is selected. */
export const buildCli = (folder: string, defaultServer: string): Promise<void> =>
  buildProgram(folder, {
    entry: join(cli, 'src/main.ts'),
    name: 'quayside.mjs',
    // Node 20 runs the file without packages.
    target: 'node20',
    plugins: (transform) => [defaults(defaultServer), hashThread(transform)],
    minify: true,
    banner: '#!/usr/bin/env node',
  })

function defaults(defaultServer: string): Plugin {
  const { version } = createRequire(import.meta.url)(join(cli, 'package.json')) as { version: string }
  return {
    name: 'defaults',
    load: (id) =>
      id === join(cli, 'src/defaults.ts')
        ? `export const version = ${JSON.stringify(version)}\nexport const defaultServer = '${defaultServer}'\n`
        : undefined,
  }
}

/** Puts the program of the hashing thread into the file as a data URL, because an executable has no file to start it from. */
function hashThread(transform: typeof transformWithOxc): Plugin {
  const path = join(cli, 'src/transfer/hash-thread.ts')
  return {
    name: 'hash-thread',
    async load(id) {
      if (id !== path) return undefined
      const source = readFileSync(path, 'utf8')
      const { code } = await transform(source, path)
      return source.replaceAll(
        'import.meta.url',
        JSON.stringify(`data:text/javascript,${encodeURIComponent(code)}`),
      )
    },
  }
}
