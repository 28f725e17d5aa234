import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { expectOk, put, type FileToSend } from './client.ts'
import type { Service } from './npm-start.ts'
import { sharedService } from './one-start.ts'
import { hashOfDownload } from './transfer.ts'

const kills = Number(process.env['QUAYSIDE_COMPOSITION_KILLS'] ?? 4)
const mebibyte = 1024 * 1024
const sourceBytes = 64 * mebibyte
const addedBytes = 100

let service: Service
let applicationId: string

before(async () => {
  service = await sharedService()
  applicationId = expectOk(await service.client.createApplication('Composing')).data.id
})

const sha256 = (...pieces: Uint8Array[]) => {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}

const request = async (size_bytes: number) =>
  expectOk(
    await service.client.request(applicationId, { primary_file: { filename: 'game.tar.gz', size_bytes } }),
  )

test(`lists only complete builds while the service is killed ${kills} times as it composes files`, async (t) => {
  const { client } = service
  const source = randomBytes(sourceBytes)
  const plain = await request(sourceBytes)
  assert.equal((await put(plain.primary_file.presigned_data, source)).status, 200)
  const { build } = expectOk(await client.verify(plain.pending_upload_id))
  const { id: file_id } = build.primary_file
  let verifyMs = 2_000
  let verifiedBefore = 0
  for (let kill = 0; kill <= kills; kill++) {
    const added = randomBytes(addedBytes)
    const expected = sha256(source.subarray(mebibyte), added, source.subarray(0, mebibyte))
    const { pending_upload_id: id } = await request(sourceBytes + addedBytes)
    const path = `/upload/${id}/composition`
    const composed = expectOk(
      await client.call<{ data: FileToSend }>('PUT', path, {
        checksum_sha256: expected,
        ranges: [
          { file_id, offset: mebibyte, size_bytes: sourceBytes - mebibyte },
          { size_bytes: addedBytes },
          { file_id, offset: 0, size_bytes: mebibyte },
        ],
      }),
    )
    assert.equal((await put(composed.data.presigned_data, added)).status, 200)
    const start = performance.now()
    const verifying = client.verify(id).catch(() => undefined)
    if (kill === 0) {
      // This run is not interrupted, and shows how long verify takes.
      await verifying
      verifyMs = performance.now() - start
    } else {
      await pause(((kill - Math.random()) / kills) * 1.3 * verifyMs)
      await service.kill('service')
      if ((await verifying)?.status === 200) verifiedBefore++
      await service.start()
    }
    const { builds } = await client.builds(applicationId)
    assert.ok([kill + 1, kill + 2].includes(builds.length), `${builds.length} builds`)
    let verified = await client.verify(id)
    while (verified.status === 503) verified = await client.verify(id)
    const { build_id } = expectOk(verified)
    const { temp_url } = expectOk(await client.download(applicationId, build_id)).primary_file
    assert.equal(await hashOfDownload(temp_url), expected)
  }
  t.diagnostic(
    `verify took ${Math.round(verifyMs)} ms; ${verifiedBefore} of ${kills} were complete when the service was killed`,
  )
})
