import assert from 'node:assert/strict'
import { bytesAt, expectOk, put } from './client.ts'
import { content, sha256 } from './content.ts'
import type { Service } from './npm-start.ts'

/** The main job, once: a new application, a build that goes in, is listed, and comes out as it was. */
export async function uploadAndDownload({ client }: Service, applicationName: string): Promise<void> {
  const { data: application } = expectOk(await client.createApplication(applicationName))
  const bytes = content(1, 0, 100_000)
  const upload = expectOk(
    await client.request(application.id, { primary_file: { filename: 'app.bin', size_bytes: bytes.length } }),
  )
  assert.equal((await put(upload.primary_file.presigned_data, bytes)).status, 200)
  const { build_id } = expectOk(await client.verify(upload.pending_upload_id))
  assert.equal((await client.builds(application.id)).total, 1)
  const { primary_file } = expectOk(await client.download(application.id, build_id))
  assert.equal(sha256(await bytesAt(primary_file.temp_url)), sha256(bytes))
}
