import { join, relative } from 'node:path'
import { buildProgram } from './program.ts'

const source = join(import.meta.dirname, '../../packages/server/src')

/**
 * Builds the server, its commands and their packages as a few files. Loading the 2,500 modules one by one takes four
 * times the CPU time. What is loaded on demand, such as the S3 client, stays in files of its own.
 */
export async function buildServer(folder: string): Promise<void> {
  await buildProgram(folder, {
    entry: {
      main: join(source, 'main.ts'),
      storage: join(source, 'operations/storage-command.ts'),
      admin: join(source, 'operations/admin-command.ts'),
    },
    target: 'node24',
    // V8 keeps the source of every module in memory, with two bytes per character if one is not in Latin-1. Such characters
    // are escaped except in tagged templates, where they have to be values.
    minify: 'space',
    // pg loads it only if it is installed.
    external: ['pg-native'],
    plugins: () => [keepModuleUrls(folder)],
  })
}

/**
 * Lets modules find migrations, documents and workers, which stay where they are, relative to their source. Modules of
 * other packages find only packages, for which the URL of the bundle serves.
 */
const keepModuleUrls = (folder: string) => ({
  name: 'keep-module-urls',
  transform(code: string, id: string) {
    if (!id.startsWith(source) || !code.includes('import.meta.url')) return null
    const path = JSON.stringify(relative(folder, id).replaceAll('\\', '/'))
    return code.replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`)
  },
})
