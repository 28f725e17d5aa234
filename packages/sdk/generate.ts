// Writes src/generated/api.ts from the repository's openapi.json; with --check only says whether it is current.
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Document } from './src/generator/operations.ts'
import { sdkSource } from './src/generator/source.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const target = `${here}src/generated/api.ts`

function formatted(source: string): string {
  const oxfmt = fileURLToPath(new URL('bin/oxfmt', import.meta.resolve('oxfmt/package.json')))
  // The name decides which settings apply; the generated file's own is one that oxfmt passes over.
  const named = `--stdin-filepath=${here}src/api.ts`
  const options = { input: source, encoding: 'utf8', cwd: here, maxBuffer: 64 * 1024 * 1024 } as const
  return execFileSync(process.execPath, [oxfmt, named], options)
}

const arguments_ = process.argv.slice(2)
const check = arguments_.includes('--check')
const input = arguments_.find((argument) => !argument.startsWith('--')) ?? `${here}../../openapi.json`
const source = formatted(sdkSource(JSON.parse(await readFile(input, 'utf8')) as Document))
const current = await readFile(target, 'utf8').catch(() => '')
if (check && source !== current) {
  process.stderr.write(
    'packages/sdk/src/generated/api.ts is stale: run `node packages/sdk/generate.ts` and commit it.\n',
  )
  process.exitCode = 1
} else if (!check && source !== current) {
  await writeFile(target, source)
}
