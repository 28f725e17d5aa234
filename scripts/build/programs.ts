import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildProgram } from './program.ts'

const source = join(import.meta.dirname, '../../packages/server/src')
const target = 'node24'

/**
 * Builds the programs that inspect, compare and patch files, encode images and compute chunk indexes as single files. The server starts
 * them for each file, and loading their modules one by one takes three times the CPU time.
 */
export async function buildPrograms(folder: string): Promise<void> {
  const inspection = join(source, 'inspection/inspection.process.ts')
  await buildProgram(folder, { entry: inspection, name: 'inspection.mjs', target })
  const images = join(source, 'inspection/images/images.process.ts')
  const plugins = () => [webAssembly()]
  await buildProgram(folder, {
    entry: images,
    name: 'images.mjs',
    target,
    plugins,
    keepsOthers: true,
  })
  const chunks = join(source, 'features/builds/chunks/chunk-index.worker.ts')
  await buildProgram(folder, { entry: chunks, name: 'chunk-index.mjs', target, keepsOthers: true })
  const comparison = join(source, 'inspection/comparison/comparison.process.ts')
  await buildProgram(folder, { entry: comparison, name: 'comparison.mjs', target, keepsOthers: true })
  const patching = join(source, 'inspection/patching/patching.process.ts')
  await buildProgram(folder, { entry: patching, name: 'patching.mjs', target, keepsOthers: true })
}

/** Includes WebAssembly modules as bytes, because the program may read no other file. */
const webAssembly = () => ({
  name: 'web-assembly',
  enforce: 'pre' as const,
  async load(id: string) {
    if (!id.endsWith('.wasm')) return null
    const bytes = await readFile(id)
    return `export default Uint8Array.from(Buffer.from(${JSON.stringify(bytes.toString('base64'))}, 'base64'))`
  },
})
