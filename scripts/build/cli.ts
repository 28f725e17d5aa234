import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { serverPlaceholder } from '../../packages/server/src/site/cli-download/bundle.ts'

const cli = join(import.meta.dirname, '../../packages/cli')

/** Builds the command line as a single file, `quayside.mjs`, in which the server that offers it writes its URL. */
export async function buildCli(folder: string): Promise<void> {
  // Loaded only for a build, because Vite takes most of the time of a start without one.
  const { build } = await import('vite')
  await build({
    root: cli,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [defaults(), licenses()],
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

function defaults(): Plugin {
  const { version } = createRequire(import.meta.url)(join(cli, 'package.json')) as { version: string }
  return {
    name: 'defaults',
    load: (id) =>
      id === join(cli, 'src/defaults.ts')
        ? `export const version = ${JSON.stringify(version)}\nexport const defaultServer = '${serverPlaceholder}'\n`
        : undefined,
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
