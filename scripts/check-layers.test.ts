import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const source = 'packages/server/src'

/** Two features that import each other, and a file of `lib` that imports from a later layer. */
const planted = {
  [`${source}/lib/planted.ts`]: `\nimport { endpoint } from '../http/endpoint.ts'\nexport const planted = endpoint\n`,
  [`${source}/http/endpoint.ts`]: `export const endpoint = 1\n`,
  [`${source}/features/builds/build.ts`]: `import type { Stream } from '../streams/stream.ts'\nexport type Build = Stream\n`,
  [`${source}/features/streams/stream.ts`]: `import type { Build } from '../builds/build.ts'\nexport type Stream = Build\n`,
  'docs/architecture.md': 'No diagram.\n',
}

test('prints the violations in a repository and exits with code 1', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'quayside-layers-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(planted)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const { code, output } = await runCheck(root)
  assert.equal(code, 1)
  assert.match(output, /import cycle between features: builds → streams → builds\. Remove one of: /)
  assert.match(
    output,
    /^packages\/server\/src\/lib\/planted\.ts:2 lib\/planted\.ts may not import http\/endpoint\.ts/m,
  )
  assert.match(output, /^docs\/architecture\.md:1 .*check-layers\.ts --draw/m)
})

function runCheck(root: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, 'check-layers.ts'), root],
      (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : -1
        resolve({ code, output: stdout + stderr })
      },
    )
  })
}
