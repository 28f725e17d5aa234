import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cp, mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import { killAfter, runQuayside } from './run-quayside.ts'
import { startService } from './running-server.ts'
import type { Service } from './running-server.ts'
import { downloadedSha256, randomFile, sha256 } from './upload-files.ts'

type Uploaded = { build_id: string; sent_bytes: number; reused_bytes: number; unchanged: boolean }

const mib = 1024 * 1024
let service: Service

before(async () => {
  service = await startService()
  await jsonInProcess(service, ['applications', 'create', 'Game', '--platform', 'generic'])
})

after(() => service.close())

/** Creates a folder with a large file of random bytes, text and an empty file. */
async function gameFolder(name: string, sizeBytes: number): Promise<string> {
  const folder = join(service.folder, name)
  await mkdir(join(folder, 'data'), { recursive: true })
  await cp(await randomFile(service, 'textures.pak', sizeBytes), join(folder, 'data/textures.pak'))
  await writeFile(join(folder, 'readme.txt'), 'Press start.\n'.repeat(20_000))
  await writeFile(join(folder, 'empty'), '')
  return folder
}

const upload = (folder: string, ...options: string[]) =>
  jsonInProcess<Uploaded>(service, ['upload', folder, '--version', '1.2.0', ...options])

test('uploads a folder as an archive with the same content', async () => {
  const folder = await gameFolder('Build', 12 * mib)
  await writeFile(join(folder, '.quaysideignore'), 'empty\n')
  const { build_id } = await upload(folder)
  const target = join(service.folder, 'out/')
  await jsonInProcess(service, ['download', build_id, '--output', target])
  const names = execFileSync('unzip', ['-Z1', join(target, 'Build.zip')]).toString()
  assert.equal(names, 'data/textures.pak\nreadme.txt\n')
  execFileSync('unzip', ['-q', join(target, 'Build.zip'), '-d', join(target, 'unpacked')])
  const unpacked = join(target, 'unpacked/data/textures.pak')
  assert.equal(await sha256(unpacked), await sha256(join(folder, 'data/textures.pak')))
  assert.equal((await readFile(join(target, 'unpacked/readme.txt'))).length, 260_000)
})

test('shows the progress in bytes and files', async () => {
  const folder = await gameFolder('Counted', mib)
  const { code, stderr } = await runInProcess(service, ['upload', folder, '--version', '1.3.0'])
  assert.equal(code, 0, stderr)
  assert.match(stderr, /Reading Counted: 100%, 1\.25 MB of 1\.25 MB, 3 of 3 files/)
  assert.match(stderr, /Counted\.zip: 100%, 1\.00 MB of 1\.00 MB, 3 of 3 files/)
})

test('resumes the upload of a folder after the client is killed, also from a copy of the folder', async () => {
  const folder = await gameFolder('Nightly', 28 * mib)
  await killAfter(service, 22 * mib, ['upload', folder, '--version', '2.0.0'])
  await service.gate.drained()
  // A retried CI job unpacks the same files at another place, with other times and without the state file.
  const copy = join(service.folder, 'retried/Nightly')
  await cp(folder, copy, { recursive: true })
  await utimes(join(copy, 'data/textures.pak'), 1e9, 1e9)
  const second = await runQuayside(service, ['upload', copy, '--version', '2.0.0', '--json'])
  assert.equal(second.code, 0, second.stderr)
  const { build_id, reused_bytes } = JSON.parse(second.stdout) as Uploaded
  assert.ok(reused_bytes >= 5 * mib, `${reused_bytes} reused`)
  const again = await upload(copy, '--if-changed')
  assert.deepEqual([again.build_id, again.unchanged], [build_id, true])
  const target = join(service.folder, 'resumed.zip')
  await jsonInProcess(service, ['download', build_id, '--output', target])
  execFileSync('unzip', ['-tq', target])
  assert.equal(await downloadedSha256(service, build_id), await sha256(target))
})

test('does not create a build when a file changes during the upload', async () => {
  const folder = await gameFolder('Changing', 12 * mib)
  const reached = service.gate.holdAfter(6 * mib)
  const running = runInProcess(service, ['upload', folder, '--version', '3.0.0'])
  await reached
  await writeFile(join(folder, 'readme.txt'), 'changed')
  service.gate.release()
  const { code, stderr } = await running
  assert.equal(code, 1)
  assert.match(stderr, /readme\.txt changed while it was being uploaded/)
  const { code: usage, stderr: text } = await runInProcess(service, [
    'upload',
    join(folder, 'readme.txt'),
    '--keep-times',
  ])
  assert.deepEqual([usage, /applies only to folders/.test(text)], [2, true])
})
