import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin, transformWithOxc } from 'vite'
import { serverPlaceholder } from '../../packages/server/src/site/cli-download/bundle.ts'

const cli = join(import.meta.dirname, '../../packages/cli')

/** Builds the command line as a single file, `quayside.mjs`, in which the server that offers it writes its URL. */
export const buildCliDownload = (folder: string): Promise<void> => buildCli(folder, serverPlaceholder)

/** Builds the command line as a single file, `quayside.mjs`, that uses `defaultServer` if none is selected. */
export async function buildCli(folder: string, defaultServer: string): Promise<void> {
  // Loaded only for a build, because Vite takes most of the time of a start without one.
  const { build, transformWithOxc } = await import('vite')
  await build({
    root: cli,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [defaults(defaultServer), hashThread(transformWithOxc), licenses()],
    // Node 20 runs the file without packages.
    ssr: { noExternal: true, resolve: { conditions: ['@quayside/source', 'node', 'module'] } },
    build: {
      ssr: join(cli, 'src/main.ts'),
      outDir: folder,
      emptyOutDir: true,
      target: 'node20',
      minify: true,
      rolldownOptions: {
        output: { codeSplitting: false, entryFileNames: 'quayside.mjs', banner: '#!/usr/bin/env node' },
      },
    },
  })
}

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

/** Appends the licenses of the bundled packages, which every copy must include. */
function licenses(): Plugin {
  return {
    name: 'licenses',
    generateBundle(_options, files) {
      for (const file of Object.values(files))
        if (file.type === 'chunk')
          file.code += `\n/*\n${licensesOf(file.moduleIds).replaceAll('*/', '* /')}*/\n`
    },
  }
}

function licensesOf(modulePaths: readonly string[]): string {
  const folders = new Set(modulePaths.flatMap((path) => packageFolder(path) ?? []))
  return [...folders]
    .toSorted()
    .map((folder) => {
      const { name, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        name: string
        license: string
      }
      const path = ['LICENSE', 'LICENSE.md', 'license', 'license.md', 'LICENSE.txt']
        .map((file) => join(folder, file))
        .find((file) => existsSync(file))
      return `${name} (${license})\n\n${path === undefined ? '' : readFileSync(path, 'utf8').trim()}\n\n`
    })
    .join('')
}

function packageFolder(path: string): string | undefined {
  if (!path.includes('/node_modules/')) return undefined
  let folder = dirname(path)
  // Some packages have further package.json files, without a name, in subfolders.
  while (!/\/node_modules\/(@[^/]+\/)?[^/]+$/.test(folder)) folder = dirname(folder)
  return folder
}
