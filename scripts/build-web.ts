import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

// Builds the console into packages/web/dist if its sources have changed since the last build. `npm start` and the tests
// run this first; a build takes about as long as reading this comment.
const root = join(import.meta.dirname, '..')
const web = join(root, 'packages/web')
const output = join(web, 'dist')
const stamp = join(output, 'sources.sha256')
const sources = [
  'packages/web/{build,preview,src,public}/**/*',
  'packages/web/{index.html,vite.config.ts,package.json}',
  'packages/sdk/src/**/*.ts',
  'package-lock.json',
]

const hash = createHash('sha256')
for (const file of globSync(sources, { cwd: root, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .toSorted())
  hash.update(file.slice(root.length)).update('\0').update(readFileSync(file))
const current = hash.digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== current) {
  const startedAt = performance.now()
  process.stderr.write('Building the console …\n')
  const { build } = await import('vite')
  const { previewBuild } = await import('../packages/web/build/preview-build.ts')
  // The service keeps serving the previous build until the new one is complete.
  const unfinished = join(web, `dist.${process.pid}`)
  await build({
    root: web,
    configFile: join(web, 'vite.config.ts'),
    // The default loader writes to node_modules, which may be read-only.
    configLoader: 'native',
    logLevel: 'warn',
    build: { outDir: unfinished },
  })
  await build(previewBuild(join(unfinished, 'preview')))
  for (const name of globSync('**/*.{js,css,svg}', { cwd: unfinished })) {
    const content = readFileSync(join(unfinished, name))
    if (content.length < 1024) continue
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    writeFileSync(join(unfinished, `${name}.br`), brotliCompressSync(content, { params: quality }))
    writeFileSync(join(unfinished, `${name}.gz`), gzipSync(content))
  }
  writeFileSync(join(unfinished, 'sources.sha256'), current)
  rmSync(output, { recursive: true, force: true })
  renameSync(unfinished, output)
  process.stderr.write(`Built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.\n`)
}
