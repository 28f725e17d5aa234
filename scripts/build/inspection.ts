import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildProgram } from './program.ts'

const folderOfSource = join(import.meta.dirname, '../../packages/server/src/inspection')
const target = 'node24'

/**
 * Builds the programs that inspect a file and that encode images as single files. The server starts them for each
 * file, and loading their modules one by one takes three times the CPU time.
 */
export async function buildInspection(folder: string): Promise<void> {
  const inspection = join(folderOfSource, 'inspection.process.ts')
  await buildProgram(folder, { entry: inspection, name: 'inspection.mjs', target })
  const images = join(folderOfSource, 'images/images.process.ts')
  const plugins = () => [webAssembly()]
  await buildProgram(folder, {
    entry: images,
    name: 'images.mjs',
    target,
    plugins,
    keepsOthers: true,
  })
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
