import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const web = join(import.meta.dirname, '../../packages/web')
const minCompressedBytes = 1024

/** Builds the console, the script with which the server draws its pages, and compressed copies of its files. */
export async function buildConsole(folder: string): Promise<void> {
  // Loaded only for a build, because Vite takes most of the time of a start without one.
  const { build } = await import('vite')
  const { previewBuild } = await import('../../packages/web/build/preview-build.ts')
  const { listRoutePaths, requireEveryRoute } = await import('../../packages/web/build/route-paths.ts')
  await build({
    root: web,
    configFile: join(web, 'vite.config.ts'),
    // The default loader writes to node_modules, which may be read-only.
    configLoader: 'native',
    logLevel: 'warn',
    build: { outDir: folder },
  })
  await build(previewBuild(join(folder, 'preview')))
  for (const script of globSync('preview/*.mjs', { cwd: folder }))
    requireEveryRoute(await listRoutePaths(join(folder, script)))
  for (const name of globSync('**/*.{js,css,svg}', { cwd: folder })) {
    const content = readFileSync(join(folder, name))
    if (content.length < minCompressedBytes) continue
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, { params: quality }))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content))
  }
}
