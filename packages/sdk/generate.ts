// Writes src/generated/api.ts from the repository's openapi.json; with --check only says whether it is current.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Document } from './src/generator/operations.ts'
import { sdkSource } from './src/generator/source.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const target = `${here}src/generated/api.ts`

async function formatted(source: string): Promise<string> {
  // oxfmt reads its settings from the folders above the file, so the scratch file lies beside the target.
  const folder = await mkdtemp(`${here}src/.generate-`)
  try {
    await writeFile(`${folder}/generated.ts`, source)
    await promisify(execFile)(process.execPath, [oxfmt(), `${folder}/generated.ts`], { cwd: folder })
    return await readFile(`${folder}/generated.ts`, 'utf8')
  } finally {
    await rm(folder, { recursive: true })
  }
}

function oxfmt(): string {
  return fileURLToPath(new URL('bin/oxfmt', import.meta.resolve('oxfmt/package.json')))
}

const arguments_ = process.argv.slice(2)
const check = arguments_.includes('--check')
const input = arguments_.find((argument) => !argument.startsWith('--')) ?? `${here}../../openapi.json`
const source = await formatted(sdkSource(JSON.parse(await readFile(input, 'utf8')) as Document))
const current = await readFile(target, 'utf8').catch(() => '')
if (check && source !== current) {
  process.stderr.write(
    'packages/sdk/src/generated/api.ts is stale: run `node packages/sdk/generate.ts` and commit it.\n',
  )
  process.exitCode = 1
} else if (!check && source !== current) {
  await writeFile(target, source)
}
