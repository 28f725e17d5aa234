import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import type { Service } from '../npm-start.ts'
import { sharedService } from '../one-start.ts'

const run = promisify(execFile)

let service: Service
let folder: string
before(async () => {
  service = await sharedService({ QUAYSIDE_BOOTSTRAP_KEY: '' })
  folder = await mkdtemp(join(tmpdir(), 'quayside-first-steps-'))
})
after(() => rm(folder, { recursive: true, force: true }))

test('uploads, shares and downloads a build with the shell script from the API reference', async () => {
  const document = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as {
    info: { description: string }
  }
  const [, script = ''] = /## First steps.*?```sh\n(.*?)\n```/s.exec(document.info.description) ?? []
  assert.match(script, /share-links/)
  const bytes = randomBytes(300_000)
  await writeFile(join(folder, 'app.tar.gz'), bytes)
  assert.ok(script.startsWith(`API=${service.url}/`))
  const adapted = script.replace('data/first-key', join(service.dataDir, 'first-key'))
  await run('bash', ['-euo', 'pipefail', '-c', adapted], {
    cwd: folder,
    env: { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env['PATH']}` },
  })
  assert.ok((await readFile(join(folder, 'copy-of-app.tar.gz'))).equals(bytes))
})
