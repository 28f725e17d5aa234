import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

// Prints the CLI as a single JavaScript file. The argument is the URL of the server that the CLI uses by default.

const cli = fileURLToPath(new URL('../../../cli/', import.meta.url))
const [serverUrl = ''] = process.argv.slice(2)
const { version } = createRequire(import.meta.url)(join(cli, 'package.json')) as { version: string }

const bundle = await rolldown({
  input: join(cli, 'src/main.ts'),
  platform: 'node',
  resolve: { conditionNames: ['@quayside/source', 'import', 'node', 'default'] },
  plugins: [
    {
      name: 'defaults',
      load: (id) =>
        id === join(cli, 'src/defaults.ts')
          ? `export const version = ${JSON.stringify(version)}\nexport const defaultServer = ${JSON.stringify(serverUrl)}\n`
          : undefined,
    },
  ],
})
const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false })
const [{ code, moduleIds }] = output
process.stdout.write(`#!/usr/bin/env node\n${code}\n/*\n${licenses(moduleIds).replaceAll('*/', '* /')}*/\n`)

/** Returns the licenses of the bundled packages, which every copy must include. */
function licenses(modulePaths: readonly string[]): string {
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
