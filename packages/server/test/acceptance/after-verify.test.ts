import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { before, test } from 'node:test'
import { bytesAt, expectOk, put, type Client, type Verified } from './client.ts'
import { content, md5, sha256 } from './content.ts'
import { sharedService } from './one-start.ts'
import { latePutStatuses, storesInS3 } from './test-storage.ts'

let client: Client
let applicationId: string

before(async () => {
  client = (await sharedService()).client
  applicationId = expectOk(await client.createApplication('After verify')).data.id
})

type Signed = Parameters<typeof put>[0]

/** A signed upload URL that was used before verification, and the number of bytes it accepts. */
type OldUrl = { name: string; signed: Signed; sizeBytes: number }

const originalBytes = (sizeBytes: number) => content(1, 0, sizeBytes)
const otherBytes = (sizeBytes: number) => content(2, 0, sizeBytes)

async function partUrl(
  id: string,
  number: number,
  sizeBytes: number,
  file: 'primary' | 'expansion' = 'primary',
) {
  return expectOk(await client.part(id, number, sizeBytes, file)).part_presigned_url
}

async function downloadHashes(buildId: string): Promise<string[]> {
  const { primary_file, expansion_files = [] } = expectOk(await client.download(applicationId, buildId))
  return Promise.all(
    [primary_file, ...expansion_files].map(async ({ temp_url }) => sha256(await bytesAt(temp_url))),
  )
}

/** Asserts that each old URL rejects different bytes of the same length, and that the build does not change. */
async function assertImmutable(
  { build_id }: Verified,
  files: Uint8Array[],
  oldUrls: OldUrl[],
): Promise<void> {
  const expected = files.map(sha256)
  assert.deepEqual(await downloadHashes(build_id), expected)
  for (const { name, signed, sizeBytes } of oldUrls) {
    const response = await put(signed, otherBytes(sizeBytes))
    assert.ok(latePutStatuses.includes(response.status), `${name}: ${response.status} ${response.text}`)
    assert.deepEqual(await downloadHashes(build_id), expected, name)
  }
  const { data } = expectOk(await client.build(applicationId, build_id))
  const md5s = [data.primary_file, ...data.expansion_files].map(({ checksum_md5 }) => checksum_md5)
  assert.deepEqual(md5s, files.map(md5))
}

/** Starts a PUT and sends half of its body; `finish` sends the rest and returns the status. */
async function startPut(signed: Signed, bytes: Uint8Array) {
  const { url, headers = {} } = typeof signed === 'string' ? { url: signed } : signed
  const request = httpRequest(url, {
    method: 'PUT',
    headers: { ...headers, 'Content-Length': bytes.length },
  })
  const status = new Promise<number>((resolve, reject) => {
    request.once('response', (response) => resolve(response.resume().statusCode ?? 0)).once('error', reject)
  })
  status.catch(() => undefined)
  await new Promise((done) => request.write(bytes.subarray(0, bytes.length / 2), done))
  return {
    finish(): Promise<number> {
      request.end(bytes.subarray(bytes.length / 2))
      return status
    },
  }
}

test('rejects PUT requests to the signed URLs of a verified upload and leaves the file unchanged', async () => {
  const upload = expectOk(
    await client.request(applicationId, { primary_file: { filename: 'one.bin', size_bytes: 5000 } }),
  )
  const signed = upload.primary_file.presigned_data
  const id = upload.pending_upload_id
  const oldUrls: OldUrl[] = [
    { name: 'single PUT', signed, sizeBytes: 5000 },
    { name: 'part 1, unused', signed: await partUrl(id, 1, 5000), sizeBytes: 5000 },
  ]
  assert.equal((await put(signed, originalBytes(5000))).status, 200)
  const verified = expectOk(await client.verify(id))
  await assertImmutable(verified, [originalBytes(5000)], oldUrls)
  assert.equal((await client.part(id, 1, 5000)).status, 400)
  assert.equal(expectOk(await client.verify(id)).build_id, verified.build_id)
})

test('verifies two multipart files with a single list of parts and rejects later PUT requests to their signed URLs', async () => {
  const sizes = { primary: 7000, expansion: 5000 }
  const upload = expectOk(
    await client.request(applicationId, {
      structure: 'file+expansion',
      platform: 'android',
      primary_file: { filename: 'game.apk', size_bytes: String(sizes.primary) },
      expansion_files: [{ filename: 'main.1.com.example.game.obb', size_bytes: sizes.expansion }],
      version_component_1_major: '3',
      custom_build_number: '',
      version_component_extra: null,
      notes: null,
      vc_branch: '',
    }),
  )
  const id = upload.pending_upload_id
  const files = [content(11, 0, sizes.primary), content(12, 0, sizes.expansion)] as const
  const parts = [
    ['primary', 4, 928],
    ['expansion', 3, 904],
    ['primary', 2, 2016],
    ['expansion', 1, 2048],
    ['primary', 1, 2048],
    ['expansion', 2, 2048],
    ['primary', 3, 2008],
  ] as const
  const starts = { primary: [0, 2048, 4064, 6072], expansion: [0, 2048, 4096] }
  const oldUrls: OldUrl[] = [
    { name: 'primary, single PUT', signed: upload.primary_file.presigned_data, sizeBytes: sizes.primary },
    ...upload.expansion_files.map(({ presigned_data }) => ({
      name: 'expansion, single PUT',
      signed: presigned_data,
      sizeBytes: sizes.expansion,
    })),
  ]
  const etags = await Promise.all(
    parts.map(async ([file, number, sizeBytes]) => {
      const name = `${file} part ${number}`
      const first = await partUrl(id, number, sizeBytes, file)
      const again = await partUrl(id, number, sizeBytes, file)
      oldUrls.push(
        { name, signed: first, sizeBytes },
        { name: `${name}, requested again`, signed: again, sizeBytes },
      )
      const start = starts[file][number - 1] ?? 0
      const stored = await put(
        again,
        Uint8Array.from(files[file === 'primary' ? 0 : 1].subarray(start, start + sizeBytes)),
      )
      assert.equal(stored.status, 200, stored.text)
      return {
        file,
        PartNumber: String(number),
        ETag: file === 'primary' ? stored.etag.replaceAll('"', '') : stored.etag,
      }
    }),
  )
  const sorted = etags.toSorted(
    (a, b) => b.file.localeCompare(a.file) || Number(a.PartNumber) - Number(b.PartNumber),
  )
  const multipart_chunks = sorted.map(({ PartNumber, ETag }) => ({ PartNumber, ETag }))
  const verified = expectOk(await client.verify(id, { multipart_chunks }))
  assert.equal(verified.pending_processing, true)
  await assertImmutable(verified, [...files], oldUrls)
})

test('uses the latest upload of each part when the verify request lists no parts', async () => {
  const upload = expectOk(
    await client.request(applicationId, { primary_file: { filename: 'two.bin', size_bytes: 4000 } }),
  )
  const id = upload.pending_upload_id
  const urls = await Promise.all([1, 2, 1, 2].map((number) => partUrl(id, number, 2000)))
  const [one = '', two = '', oneAgain = '', twoAgain = ''] = urls
  const whole = content(21, 0, 4000)
  await put(two, otherBytes(2000))
  await put(one, otherBytes(2000))
  assert.equal((await put(twoAgain, Uint8Array.from(whole.subarray(2000)))).status, 200)
  assert.equal((await put(oneAgain, Uint8Array.from(whole.subarray(0, 2000)))).status, 200)
  const oldUrls = urls.map((signed, index) => ({ name: `URL ${index}`, signed, sizeBytes: 2000 }))
  await assertImmutable(expectOk(await client.verify(id)), [whole], oldUrls)
})

test('rejects a PUT request to the signed URL of a verified metadata artifact and leaves the artifact unchanged', async () => {
  const upload = expectOk(
    await client.request(applicationId, { primary_file: { filename: 'three.bin', size_bytes: 300 } }),
  )
  await put(upload.primary_file.presigned_data, originalBytes(300))
  const { build_id } = expectOk(await client.verify(upload.pending_upload_id))
  const metadataUpload = expectOk(
    await client.call<{ metadata_pending_upload_id: string; presigned_upload_data: { url: string } }>(
      'POST',
      '/upload/metadata/request',
      { primary_pending_upload_id: upload.pending_upload_id, filename: 'log.txt', size_bytes: '200' },
    ),
  )
  assert.equal((await put(metadataUpload.presigned_upload_data, originalBytes(200))).status, 200)
  const verified = expectOk(
    await client.call<{ metadata_artifact_id: string; build_id: string }>('POST', '/upload/metadata/verify', {
      pending_upload_id: metadataUpload.metadata_pending_upload_id,
    }),
  )
  assert.equal(verified.build_id, build_id)
  const late = await put(metadataUpload.presigned_upload_data, otherBytes(200))
  assert.ok(latePutStatuses.includes(late.status))
  const path = `/applications/${applicationId}/builds/${build_id}/metadata/${verified.metadata_artifact_id}/download`
  const { temp_url } = expectOk(await client.call<{ temp_url: string }>('GET', path))
  assert.equal(sha256(await bytesAt(temp_url)), sha256(originalBytes(200)))
})

test('rejects a PUT request that is still in progress when the upload is verified', async () => {
  for (const isMultipart of [false, true]) {
    const size = 400_000
    const upload = expectOk(
      await client.request(applicationId, { primary_file: { filename: 'four.bin', size_bytes: size } }),
    )
    const id = upload.pending_upload_id
    const signed = isMultipart ? await partUrl(id, 1, size) : upload.primary_file.presigned_data
    assert.equal((await put(signed, originalBytes(size))).status, 200)
    const late = await startPut(signed, otherBytes(size))
    const verified = expectOk(await client.verify(id))
    assert.ok(latePutStatuses.includes(await late.finish()))
    await assertImmutable(verified, [originalBytes(size)], [{ name: 'old URL', signed, sizeBytes: size }])
  }
})

test('stores exactly one complete file when PUT requests race with a verify request', async () => {
  const size = 60_000
  await Promise.all(
    Array.from({ length: 30 }, async (_, n) => {
      const upload = expectOk(
        await client.request(applicationId, {
          primary_file: { filename: `race-${n}.bin`, size_bytes: size },
        }),
      )
      const id = upload.pending_upload_id
      const url = await partUrl(id, 1, size)
      const { etag } = await put(url, originalBytes(size))
      const fields = n % 2 === 0 ? { multipart_chunks: [{ PartNumber: 1, ETag: etag }] } : {}
      const [first, ...late] = await Promise.all([
        client.verify(id, fields),
        ...[5, 6, 7].map((seed) => put(url, content(seed, 0, size))),
      ])
      // S3 keeps only the last attempt at a part, which can differ from the listed one.
      const isReplaced = storesInS3 && first.status !== 200
      const { build, build_id } = expectOk(isReplaced ? await client.verify(id) : first)
      const possible = [1, 5, 6, 7].map((seed) => content(seed, 0, size))
      const stored = possible.find((bytes) => md5(bytes) === build.primary_file.checksum_md5)
      assert.ok(stored !== undefined)
      if (n % 2 === 0 && !isReplaced) assert.equal(md5(stored), etag.replaceAll('"', ''))
      assert.deepEqual(await downloadHashes(build_id), [sha256(stored)])
      assert.deepEqual(
        late.filter(({ status }) => status !== 200 && !latePutStatuses.includes(status)),
        [],
      )
    }),
  )
})

test('never reports a stored file as missing in the upload status during verification', async () => {
  const uploads = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const primary_file = { filename: `status-${n}.bin`, size_bytes: 300 }
      const upload = expectOk(await client.request(applicationId, { primary_file }))
      assert.equal((await put(upload.primary_file.presigned_data, originalBytes(300))).status, 200)
      return upload.pending_upload_id
    }),
  )
  await Promise.all(
    uploads.map(async (id) => {
      const statusRequests = Array.from({ length: 15 }, async () => expectOk(await client.status(id)).data)
      const [, ...statuses] = await Promise.all([client.verify(id).then(expectOk), ...statusRequests])
      for (const { state, files } of statuses)
        assert.ok(state === 'verified' || files[0]?.stored, `${state}, not stored`)
    }),
  )
})
