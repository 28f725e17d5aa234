import assert from 'node:assert/strict'
import { bytesAt, expectOk, type Build, type Client } from './client.ts'
import { content, md5, sha256 } from './content.ts'
import { lostParts, type Upload } from './crash-load.ts'

/**
 * Asserts the invariants that hold at all times, even under load: each acknowledged build is listed under one ID, no
 * build is listed before its verify request, and no acknowledged part is lost. Returns the listed builds.
 */
export async function checkAcknowledged(
  client: Client,
  applicationId: string,
  uploads: readonly Upload[],
): Promise<Build[]> {
  const before = new Map(uploads.map((upload) => [upload, [...upload.buildIds]]))
  const pending = uploads.filter(({ id, verifySent }) => id !== '' && !verifySent)
  const { builds } = await client.builds(applicationId)
  const idsByName = Map.groupBy(builds, ({ build_number }) => build_number)
  for (const [upload, acknowledged] of before) {
    const listed = new Set(idsByName.get(upload.name)?.map(({ id }) => id))
    assert.ok(listed.size <= 1, `${upload.name} became ${listed.size} builds: ${[...listed].join(', ')}`)
    assert.ok(
      upload.buildIds.size <= 1,
      `${upload.name} was acknowledged as ${[...upload.buildIds].join(' and ')}`,
    )
    for (const id of acknowledged)
      assert.ok(listed.has(id), `${upload.name}, acknowledged as ${id}, is not listed`)
  }
  const byName = new Map(uploads.map((upload) => [upload.name, upload]))
  for (const { build_number } of builds)
    assert.ok(byName.get(build_number)?.verifySent, `${build_number} is listed but was not verified`)
  for (const upload of pending)
    assert.deepEqual(await lostParts(client, upload), [], `parts of ${upload.name} are lost`)
  return builds
}

/** Asserts that a build has the metadata from its upload and that the downloaded file matches the uploaded bytes. */
export async function checkBytes(
  client: Client,
  applicationId: string,
  { seed, sizeBytes, buildIds, name }: Upload,
): Promise<void> {
  const [id = ''] = buildIds
  const { data: build } = expectOk(await client.build(applicationId, id))
  assert.equal(build.build_number, name)
  const { primary_file: link } = expectOk(await client.download(applicationId, id))
  const bytes = await bytesAt(link.temp_url)
  const sent = content(seed, 0, sizeBytes)
  assert.equal(sha256(bytes), sha256(sent), `the bytes of ${name} differ`)
  assert.equal(build.primary_file.size_bytes, sizeBytes)
  assert.equal(build.primary_file.checksum_md5, md5(sent))
  assert.equal(build.primary_file.checksum_sha256, sha256(sent))
}
