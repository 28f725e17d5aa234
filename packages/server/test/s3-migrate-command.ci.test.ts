import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { s3Environment, type S3Server } from './acceptance/test-storage.ts'
import { runAdmin } from './admin.ts'
import { requestPart } from './ci-clients.ts'
import { startOwnService, type Service, type Tenant } from './harness.ts'
import { assertIsPatched, uploadPatchedPair } from './offered-patches.ts'
import { missingS3Server, sharedS3Server } from './s3-server.ts'
import { put, requestUpload, verify } from './uploading.ts'

const partBytes = 5 * 1024 * 1024

describe('admin migrate-storage while uploads are open', { skip: missingS3Server, concurrency: 2 }, () => {
  let server: S3Server
  let release: () => Promise<void>
  before(async () => void ({ server, release } = await sharedS3Server()))
  after(() => release())

  type Switch = (bucket: Record<string, string>) => {
    before: Record<string, string>
    after: Record<string, string>
  }
  const switches: [string, Switch][] = [
    [
      'from the folder to a bucket',
      (bucket) => ({
        before: { ...bucket, QUAYSIDE_STORAGE: 'local' },
        after: { ...bucket, QUAYSIDE_STORAGE: 's3', QUAYSIDE_STORAGE_PREVIOUS: 'local' },
      }),
    ],
    [
      'from a bucket to the folder',
      (bucket) => ({
        before: bucket,
        after: { ...bucket, QUAYSIDE_STORAGE: 'local', QUAYSIDE_STORAGE_PREVIOUS: 's3' },
      }),
    ],
    [
      'from a bucket to another prefix',
      (bucket) => ({
        before: bucket,
        after: {
          ...s3Environment(server),
          QUAYSIDE_STORAGE_PREVIOUS: 's3',
          QUAYSIDE_S3_PREVIOUS_PREFIX: bucket['QUAYSIDE_S3_PREFIX'] ?? '',
        },
      }),
    ],
  ]

  for (const [name, environments] of switches)
    test(`keeps the previous storage until no upload uses it (${name})`, async (t) => {
      const { before: previous, after: current } = environments(s3Environment(server))
      let service: Service = await startOwnService({ environment: previous })
      t.after(() => service.close())
      const tenant: Tenant = await service.tenant()
      const patched = await uploadPatchedPair(service, tenant)
      const request = (size_bytes: number) =>
        requestUpload(service, tenant, { primary_file: { filename: 'app.tar.gz', size_bytes } })
      const parts = [randomBytes(partBytes), randomBytes(1000)]
      const inParts = await request(partBytes + 1000)
      const sendPart = async (part_number: number) => {
        const bytes = parts[part_number - 1] ?? Buffer.alloc(0)
        const { pending_upload_id } = inParts
        const url = await requestPart(service, tenant, {
          pending_upload_id,
          part_number,
          content_length: bytes.length,
        })
        assert.equal((await put(url, bytes)).status, 200)
      }
      await sendPart(1)
      // Its file has not been sent yet, but its URL remains valid after the switch.
      const unsent = await request(500)

      const { state } = service
      await service.stop()
      service = await startOwnService({ state, environment: current })
      // Uploads in the current storage need not be completed.
      await request(2000)
      const migrate = () => runAdmin(service, ['migrate-storage'], current)
      const unfinished = await migrate()
      assert.equal(unfinished.code, 3, unfinished.stderr)
      assert.match(unfinished.stdout, /Not finished: 2 open uploads were requested before the switch/)
      const text = unfinished.stdout.replaceAll('\n', ' ')
      const [, at = ''] = /run the command again after (\S+Z),/.exec(text) ?? []
      const hoursLeft = (Date.parse(at) - Date.now()) / 3_600_000
      assert.ok(hoursLeft > 0 && hoursLeft < 1000, text)
      assert.doesNotMatch(text, /All files|delete|without QUAYSIDE_STORAGE_PREVIOUS/)

      await sendPart(2)
      const verified = await verify(service, tenant, inParts.pending_upload_id)
      assert.equal(verified.status, 200, verified.text)
      const aborted = await service.call('POST', '/upload/abort', {
        key: tenant.applicationKey,
        body: { pending_upload_id: unsent.pending_upload_id },
      })
      assert.equal(aborted.status, 200, aborted.text)
      const { code, stdout, stderr } = await migrate()
      assert.equal(code, 0, stderr)
      assert.match(stdout, /All files are in the/)

      const path = `/applications/${tenant.applicationId}/builds/${verified.body.build_id}/download`
      const { body } = await service.call('GET', path, { key: tenant.applicationKey })
      const response = await fetch(body.primary_file.temp_url)
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(Buffer.concat(parts)))
      await assertIsPatched(service, tenant, patched)
    })
})
