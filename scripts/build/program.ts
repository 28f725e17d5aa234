import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin, transformWithOxc } from 'vite'
import { readLicense } from '../package/license.ts'
import { describePackage } from '../package/licensed-package.ts'

type Options = {
  /** The path of the main module, or those of several programs by name, which share files. */
  entry: string | Record<string, string>
  /** The file name of the program. Several programs have their names with the extension `mjs`. */
  name?: string
  /** The oldest version of Node that runs the program, for example `node20`. */
  target: string
  plugins?: (transform: typeof transformWithOxc) => Plugin[]
  /** Packages that are not included. */
  external?: string[]
  /** `space` removes comments and space only, so that names in stack traces stay as they are. */
  minify?: boolean | 'space'
  banner?: string
  /** Whether other programs in the folder are kept. */
  keepsOthers?: boolean
}

/** Builds a program with its packages and their licenses as a single file in `folder`, or several as files that they share. */
export async function buildProgram(
  folder: string,
  {
    entry,
    name = '[name].mjs',
    target,
    plugins = () => [],
    external = [],
    minify = false,
    banner = '',
    keepsOthers = false,
  }: Options,
): Promise<void> {
  // Loaded only for a build, because Vite takes most of the time of a start without one.
  const { build, transformWithOxc } = await import('vite')
  const isSingle = typeof entry === 'string'
  await build({
    root: dirname(isSingle ? entry : (Object.values(entry)[0] ?? folder)),
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [
      ...plugins(transformWithOxc),
      licenses(),
      packageList(isSingle ? `${name}.packages` : 'packages'),
    ],
    ssr: { noExternal: true, external, resolve: { conditions: ['@quayside/source', 'node', 'module'] } },
    build: {
      ssr: isSingle ? entry : true,
      outDir: folder,
      emptyOutDir: !keepsOthers,
      target,
      minify: minify === true,
      rolldownOptions: {
        ...(isSingle ? {} : { input: entry }),
        output: {
          ...(isSingle ? { codeSplitting: false } : { chunkFileNames: '[name]-[hash].mjs' }),
          entryFileNames: name,
          banner,
          ...(minify === 'space' && {
            minify: { mangle: false, compress: false, codegen: { removeWhitespace: true, asciiOnly: true } },
          }),
        },
      },
    },
  })
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

/** Writes the list of the bundled packages, which the copyright file of the Debian package contains. */
function packageList(name: string): Plugin {
  return {
    name: 'package-list',
    generateBundle(_options, files) {
      const chunks = Object.values(files).filter((file) => file.type === 'chunk')
      const packages = packageFolders(chunks.flatMap(({ moduleIds }) => moduleIds)).map(describePackage)
      this.emitFile({
        type: 'asset',
        fileName: `${name}.json`,
        source: `${JSON.stringify(packages, null, 2)}\n`,
      })
    },
  }
}

function licensesOf(modulePaths: readonly string[]): string {
  return packageFolders(modulePaths)
    .map((folder) => {
      const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string }
      const license = readLicense(folder)
      return `${name} (${license.name})\n\n${license.text}\n\n`
    })
    .join('')
}

const packageFolders = (modulePaths: readonly string[]): string[] =>
  [...new Set(modulePaths.flatMap((path) => packageFolder(path) ?? []))].toSorted()

function packageFolder(path: string): string | undefined {
  if (!path.includes('/node_modules/')) return undefined
  let folder = dirname(path)
  // Some packages have further package.json files, without a name, in subfolders.
  while (!/\/node_modules\/(@[^/]+\/)?[^/]+$/.test(folder)) folder = dirname(folder)
  return folder
}
