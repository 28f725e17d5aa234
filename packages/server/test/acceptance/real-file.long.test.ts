import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { expectOk } from './client.ts'
import { repository, type Service } from './npm-start.ts'
import { sharedService } from './one-start.ts'
import { storesInS3 } from './test-storage.ts'
import { until } from './until.ts'

/** The Node.js binary, which is larger than 100 MB on every machine that runs this test. */
const file = process.execPath
const sizeBytes = statSync(file).size
const partBytes = 16 * 1024 * 1024
const hasCurl = spawnSync('curl', ['--version']).status === 0

async function digest(algorithm: string, bytes: Readable): Promise<string> {
  const hash = createHash(algorithm)
  for await (const chunk of bytes as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

/** Runs a program and returns its output. Throws unless the exit code is 0. */
async function run(
  program: string,
  args: string[],
  options: { input?: Readable; env?: Record<string, string> } = {},
) {
  const child = spawn(program, args, { env: { ...process.env, ...options.env } })
  child.stdin.on('error', () => undefined)
  if (options.input === undefined) child.stdin.end()
  else options.input.pipe(child.stdin)
  const closed = once(child, 'close')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  await closed
  assert.equal(child.exitCode, 0, `${program} ${args.join(' ')}: ${errors}`)
  return output
}

describe(`a ${Math.round(sizeBytes / 1e6)} MB file`, { skip: !hasCurl && 'needs curl' }, () => {
  let service: Service
  let applicationId: string
  let folder: string
  let md5: string
  let sha256: string

  before(async () => {
    service = await sharedService()
    applicationId = expectOk(await service.client.createApplication('Real')).data.id
    folder = await mkdtemp(join(tmpdir(), 'quayside-real-'))
    ;[md5, sha256] = await Promise.all([
      digest('md5', createReadStream(file)),
      digest('sha256', createReadStream(file)),
    ])
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const requestUpload = async () =>
    expectOk(
      await service.client.request(applicationId, {
        primary_file: { filename: 'node.bin', size_bytes: sizeBytes },
      }),
    )

  const etagIn = (headers: string): string => /^etag: *(\S+)/im.exec(headers)?.[1] ?? ''

  async function checkBuild(buildId: string): Promise<void> {
    const { builds } = await service.client.builds(applicationId)
    assert.equal(builds.filter(({ id }) => id === buildId).length, 1)
    // A file in S3 is read again for its checksums, by a job if that takes longer than 5 s.
    const build = await until('the checksums are known', async () => {
      const { data } = expectOk(await service.client.build(applicationId, buildId))
      return (!storesInS3 || data.primary_file.checksum_sha256 !== null) && data
    })
    assert.equal(build.primary_file.checksum_md5, md5)
    assert.equal(build.primary_file.checksum_sha256, sha256)
    const { primary_file } = expectOk(await service.client.download(applicationId, buildId))
    const path = join(folder, 'whole.bin')
    await run('curl', ['-sSf', '-o', path, primary_file.temp_url])
    assert.equal(await digest('sha256', createReadStream(path)), sha256)
    const middle = Math.floor(sizeBytes / 2) + 1
    await run('curl', ['-sSf', '-o', path, '-r', `0-${middle}`, primary_file.temp_url])
    await run('curl', ['-sSf', '-o', path, '-C', '-', primary_file.temp_url])
    assert.equal(await digest('sha256', createReadStream(path)), sha256)
  }

  test('downloads the file unchanged after curl uploads it in a single PUT request', async () => {
    const { pending_upload_id: id, primary_file } = await requestUpload()
    const { url, headers } = primary_file.presigned_data
    const options = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    const response = await run('curl', ['-sSf', '-D', '-', '-T', file, ...options, url])
    assert.equal(etagIn(response), `"${md5}"`)
    await checkBuild(expectOk(await service.client.verify(id)).build_id)
  })

  // S3 accepts no chunked body, which -T sends if it reads standard input.
  const curlPut = (
    storesInS3 ? '-sSf -D - -X PUT -H Content-Type: --data-binary @-' : '-sSf -D - -T -'
  ).split(' ')

  test('downloads the file unchanged after curl uploads its parts in parallel and out of order', async () => {
    const { pending_upload_id: id, primary_file } = await requestUpload()
    assert.equal(primary_file.chunked_upload, true)
    const count = Math.ceil(sizeBytes / partBytes)
    const numbers = Array.from({ length: count }, (_, index) => count - index)
    const order = [
      ...numbers.filter((number) => number % 2 === 0),
      ...numbers.filter((number) => number % 2 === 1),
    ]
    const multipart_chunks = await Promise.all(
      order.map(async (number) => {
        const start = (number - 1) * partBytes
        const length = Math.min(partBytes, sizeBytes - start)
        const { part_presigned_url: url } = expectOk(await service.client.part(id, number, length))
        const input = createReadStream(file, { start, end: start + length - 1 })
        const response = await run('curl', [...curlPut, url], { input })
        return { PartNumber: number, ETag: etagIn(response) }
      }),
    )
    await checkBuild(expectOk(await service.client.verify(id, { multipart_chunks })).build_id)
  })

  test('downloads the file unchanged after `quayside upload` uploads it', async () => {
    const program = join(repository, 'packages/cli/bin/quayside.js')
    const options = '--application Real --platform linux --version 24.0.0 --no-scm --json'.split(' ')
    const env = { QUAYSIDE_SERVER: service.url, QUAYSIDE_API_KEY: service.key }
    const response = JSON.parse(
      await run(process.execPath, [program, 'upload', file, ...options], { env }),
    ) as {
      build_id: string
    }
    await checkBuild(response.build_id)
  })
})
