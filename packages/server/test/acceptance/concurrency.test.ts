import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { expectOk, put, type RequestedUpload } from './client.ts'
import { content, md5 } from './content.ts'
import { isFullSize } from './full-size.ts'
import type { Service } from './npm-start.ts'
import { sharedService } from './one-start.ts'
import { storesInS3 } from './test-storage.ts'

const uploadCount = isFullSize ? 100 : 20
const verifiesPerUpload = 50
// A busy machine could not respond to more requests at once before the client gives up.
const uploadsAtOnce = 20

let service: Service

before(async () => {
  service = await sharedService()
})

async function createApplication(name: string): Promise<string> {
  return expectOk(await service.client.createApplication(name)).data.id
}

async function requestUpload(
  applicationId: string,
  name: string,
  sizeBytes: number,
  fields: object = {},
): Promise<RequestedUpload> {
  const primary_file = { filename: `${name}.bin`, size_bytes: sizeBytes }
  return expectOk(
    await service.client.request(applicationId, { custom_build_number: name, primary_file, ...fields }),
  )
}

/** Verifies an upload. A machine may be too slow for so many requests at once, so a 503 is repeated as clients do. */
async function verify(id: string) {
  for (let attempt = 0; ; attempt++) {
    const response = await service.client.verify(id)
    if (response.status !== 503) return response
    assert.ok(response.retryAfter > 0, 'a 503 without Retry-After')
    await pause(1_000 * response.retryAfter * 2 ** Math.min(attempt, 3) * (0.5 + Math.random()))
  }
}

test(`creates one build per upload when ${uploadCount} uploads are each verified ${verifiesPerUpload} times concurrently`, async () => {
  const applicationId = await createApplication('Concurrent')
  const uploads: RequestedUpload[] = []
  for (let n = 0; n < uploadCount; n++) {
    const upload = await requestUpload(applicationId, `upload-${n}`, 2048)
    assert.equal((await put(upload.primary_file.presigned_data, content(n, 0, 2048))).status, 200)
    uploads.push(upload)
  }
  const responses: { id: string; response: Awaited<ReturnType<typeof verify>> }[] = []
  for (let first = 0; first < uploadCount; first += uploadsAtOnce) {
    const ids = uploads.slice(first, first + uploadsAtOnce).map(({ pending_upload_id: id }) => id)
    const requests = Array.from({ length: verifiesPerUpload }, () => ids).flat()
    responses.push(...(await Promise.all(requests.map(async (id) => ({ id, response: await verify(id) })))))
  }
  assert.deepEqual(
    Object.fromEntries(
      Map.groupBy(responses, ({ response }) => response.status)
        .entries()
        .map(([status, all]) => [status, all.length]),
    ),
    { 200: uploadCount * verifiesPerUpload },
  )
  for (const { pending_upload_id: id } of uploads) {
    const builds = new Set(
      responses.filter((verified) => verified.id === id).map(({ response }) => response.body.build_id),
    )
    assert.equal(builds.size, 1)
  }
  const { builds, total } = await service.client.builds(applicationId)
  assert.equal(total, uploadCount)
  assert.equal(new Set(builds.map(({ build_number }) => build_number)).size, uploadCount)
})

test('rejects a verify request while the file is missing and accepts it once the file is stored', async () => {
  const upload = await requestUpload(await createApplication('Before the bytes'), 'early', 1000)
  const early = await service.client.verify(upload.pending_upload_id)
  assert.equal(early.status, 400)
  assert.match(early.body.message, /"early\.bin" has not been uploaded/)
  await put(upload.primary_file.presigned_data, content(1, 0, 1000))
  assert.equal((await service.client.verify(upload.pending_upload_id)).status, 200)
})

test('rejects a request body that is shorter than declared and allows verification once the file is complete', async () => {
  const upload = await requestUpload(await createApplication('Short'), 'short', 1000)
  const { presigned_data } = upload.primary_file
  const short = await put(presigned_data, content(1, 0, 999))
  assert.equal(short.status, storesInS3 ? 403 : 400)
  const response = await service.client.verify(upload.pending_upload_id)
  assert.equal(response.status, 400)
  assert.match(response.body.message, /"short\.bin"/)
  await put(presigned_data, content(1, 0, 1000))
  assert.equal((await service.client.verify(upload.pending_upload_id)).status, 200)
})

test('verifies an upload only when all parts are complete and listed with the correct ETags', async () => {
  const { client } = service
  const upload = await requestUpload(await createApplication('Parts'), 'parts', 3000)
  const id = upload.pending_upload_id
  const etags = new Map<number, string>()
  const send = async (number: number, sizeBytes: number) => {
    const { part_presigned_url: url } = expectOk(await client.part(id, number, sizeBytes))
    etags.set(number, (await put(url, content(2, (number - 1) * 1008, sizeBytes))).etag)
  }
  const list = () => [...etags].map(([PartNumber, ETag]) => ({ PartNumber, ETag }))
  const assertRejected = async (multipart_chunks: unknown[], pattern: RegExp) => {
    const response = await client.verify(id, { multipart_chunks })
    assert.equal(response.status, 400, response.text)
    assert.match(`${response.body.message} ${JSON.stringify(response.body.errors)}`, pattern)
  }
  await send(1, 1008)
  await send(2, 1008)
  await assertRejected(list(), /part 3.*missing/)
  await assertRejected(
    [...list(), { PartNumber: 3, ETag: `"${md5(content(2, 2016, 984))}"` }],
    /part 3.*has not been uploaded/,
  )
  await send(3, 900)
  await assertRejected(list(), /"parts\.bin" .*2916 of 3000 bytes/)
  await send(3, 984)
  const wrong = list().map((chunk) =>
    chunk.PartNumber === 2 ? { ...chunk, ETag: `"${'0'.repeat(32)}"` } : chunk,
  )
  await assertRejected(wrong, /does not match the stored ETag of part 2 of .*"parts\.bin\\?"/)
  await assertRejected(list().slice(1), /part 1.*missing/)
  const { build } = expectOk(await client.verify(id, { multipart_chunks: list() }))
  assert.equal(build.primary_file.checksum_md5, md5(content(2, 0, 3000)))
})

test('creates one label when 20 concurrent uploads specify the same new label', async () => {
  const applicationId = await createApplication('Labels')
  const names = Array.from({ length: 20 }, (_, n) => `labeled-${n}`)
  const labels = await Promise.all(
    names.map(async (name) => {
      const upload = await requestUpload(applicationId, name, 100, { labels: ['Nightly smoke'] })
      await put(upload.primary_file.presigned_data, content(3, 0, 100))
      const { build } = expectOk(await service.client.verify(upload.pending_upload_id))
      return build.labels
    }),
  )
  assert.equal(new Set(labels.flat().map(({ id }) => id)).size, 1)
  const { data } = expectOk(
    await service.client.call<{ data: { name: string }[] }>('GET', `/applications/${applicationId}/labels`),
  )
  assert.deepEqual(
    data.map(({ name }) => name),
    ['Nightly smoke'],
  )
})
