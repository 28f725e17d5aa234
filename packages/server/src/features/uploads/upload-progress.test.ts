import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { folderOnly } from '../../../test/acceptance/test-storage.ts'
import { until } from '../../../test/until.ts'
import { put, requestUpload, verify } from '../../../test/uploading.ts'
import { actionsOn, createWatching, received } from '../../../test/watching.ts'

type Listed = {
  pending_upload_id: string
  state: string
  idle_seconds: number
  files: { received_bytes: number }[]
}

describe('the progress of an upload', () => {
  const watching = createWatching()
  const { opening, call } = watching
  const uploadOf = (sizeBytes: number) =>
    requestUpload(watching.service(), watching.tenant(), {
      primary_file: { filename: 'app.7z', size_bytes: sizeBytes },
      custom_build_number: '8123',
      ci_run_id: '77',
      vc_branch: 'main',
    })
  const find = async (id: string, query = ''): Promise<Listed | undefined> => {
    const path = `/upload?application_id=${watching.tenant().applicationId}${query}`
    return ((await call('GET', path)) as Listed[]).find((upload) => upload.pending_upload_id === id)
  }
  const receivedBytes = async (id: string) => (await find(id))?.files[0]?.received_bytes

  const makeIdle = (id: string) =>
    watching
      .service()
      .deps.db.updateTable('pending_uploads')
      .set({ last_activity_at: sql`now() - interval '2 minutes'` })
      .where('id', '=', id)
      .execute()

  async function signedPart(pending_upload_id: string, part_number: number, content_length: number) {
    const key = watching.tenant().applicationKey
    const body = { pending_upload_id, part_number, content_length }
    const response = await watching.service().call('POST', '/upload/request/multipart', { key, body })
    return response.body.part_presigned_url as string
  }

  test('is reported by events from the request to the build', async () => {
    const client = await opening()
    const { pending_upload_id: id, primary_file } = await uploadOf(10)
    await received(client, id, 'created')
    await makeIdle(id)
    await received(client, id, 'updated')
    assert.ok(((await find(id))?.idle_seconds ?? 0) >= 120)
    await put(primary_file.presigned_data, randomBytes(10))
    assert.equal((await verify(watching.service(), watching.tenant(), id)).status, 200)
    await received(client, id, 'deleted')
    assert.deepEqual([actionsOn(client, id)[0], actionsOn(client, id).at(-1)], ['created', 'deleted'])
    assert.equal(await find(id), undefined)
  })

  test('ends with an event when the upload is aborted', async () => {
    const client = await opening()
    const { pending_upload_id: id } = await uploadOf(10)
    await received(client, id, 'created')
    await watching.service().call('POST', '/upload/abort', {
      key: watching.tenant().applicationKey,
      body: { pending_upload_id: id },
    })
    await received(client, id, 'deleted')
  })

  test('does not appear in the changes feed', async () => {
    const path = `/applications/${watching.tenant().applicationId}/changes`
    const feed = async (cursor?: string) => {
      const query = cursor === undefined ? '' : `?cursor=${cursor}`
      const key = watching.tenant().workspaceKey
      return (await watching.service().call('GET', path + query, { key })).body
    }
    const client = await opening()
    const { cursor } = await feed()
    const { pending_upload_id: id, primary_file } = await uploadOf(10)
    await received(client, id, 'created')
    await put(primary_file.presigned_data, randomBytes(10))
    const { body } = await verify(watching.service(), watching.tenant(), id)
    await received(client, id, 'deleted')
    const { data, has_more } = await feed(cursor)
    assert.deepEqual(
      data.map((change: { id: string }) => change.id),
      [body.build_id],
    )
    assert.equal(has_more, false)
  })

  test('contains the stored parts and identifies the uploader', async () => {
    const { pending_upload_id: id } = await uploadOf(10)
    assert.equal(await receivedBytes(id), 0)
    await put(await signedPart(id, 1, 4), randomBytes(4))
    assert.equal(await receivedBytes(id), 4)
    await put(await signedPart(id, 2, 6), randomBytes(6))
    const upload = await find(id)
    assert.equal(upload?.files[0]?.received_bytes, 10)
    assert.partialDeepStrictEqual(upload, {
      build_number: '8123',
      build_source: 'cli-upload',
      ci_run_id: '77',
      scm_branch: 'main',
    })
  })

  test('grows while the server receives a single PUT', folderOnly, async () => {
    const { pending_upload_id: id, primary_file } = await uploadOf(300_000)
    const { url, headers } = primary_file.presigned_data
    const sending = request(url, { method: 'PUT', headers })
    const stored = new Promise<number>((resolve, reject) => {
      sending.once('error', reject)
      sending.once('response', (response) => resolve(response.resume().statusCode ?? 0))
    })
    const bytes = randomBytes(300_000)
    const grows = (sizeBytes: number) =>
      until(`${sizeBytes} bytes to arrive`, async () => (await receivedBytes(id)) === sizeBytes, {
        withinMs: 60_000,
      })
    await makeIdle(id)
    sending.write(bytes.subarray(0, 100_000))
    await grows(100_000)
    sending.write(bytes.subarray(100_000, 250_000))
    await grows(250_000)
    assert.ok(((await find(id))?.idle_seconds ?? Infinity) < 60)
    sending.end(bytes.subarray(250_000))
    assert.equal(await stored, 200)
    assert.equal(await receivedBytes(id), 300_000)
  })

  test('includes uploads that are being verified on request', async () => {
    const { pending_upload_id: id } = await uploadOf(10)
    await watching
      .service()
      .deps.db.updateTable('pending_uploads')
      .set({ state: 'verifying', lease_id: id, lease_expires_at: sql`now() + interval '1 hour'` })
      .where('id', '=', id)
      .execute()
    assert.equal(await find(id), undefined)
    assert.equal((await find(id, '&include_verifying=true'))?.state, 'verifying')
  })
})
