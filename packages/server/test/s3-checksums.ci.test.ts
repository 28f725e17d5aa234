import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { rehashBuild } from '../src/features/builds/files/hash-file.job.ts'
import { s3Environment } from './acceptance/test-storage.ts'
import { runAdmin } from './admin.ts'
import { requestPart } from './ci-clients.ts'
import { startOwnService, type Service, type Tenant } from './harness.ts'
import { startS3Proxy } from './s3-proxy.ts'
import { missingS3Server, sharedS3Server } from './s3-server.ts'
import { until } from './until.ts'
import { put, requestUpload, verify } from './uploading.ts'

const minPartBytes = 5 * 1024 * 1024
const wrongSha256 = 'a'.repeat(64)

describe('checksums of files in a bucket', { skip: missingS3Server }, () => {
  let release: () => Promise<void>
  let proxy: Awaited<ReturnType<typeof startS3Proxy>>
  let service: Service
  let tenant: Tenant
  let environment: Record<string, string>
  let changedReads = 0

  before(async () => {
    const shared = await sharedS3Server()
    release = shared.release
    proxy = await startS3Proxy(shared.server.endpoint, ({ method, url = '' }) =>
      method === 'GET' && url.includes('/objects/') && changedReads-- > 0 ? 'flip-bit' : undefined,
    )
    environment = s3Environment({ ...shared.server, endpoint: proxy.url })
    service = await startOwnService({ environment })
    tenant = await service.tenant()
  })
  after(async () => {
    await service.close()
    await proxy.close()
    await release()
  })
  beforeEach(() => {
    changedReads = 0
  })

  const fsck = (...options: string[]) => runAdmin(service, ['fsck', '--deep', ...options], environment)

  /** Uploads a build in parts of these sizes. */
  async function upload(sizes: number[]) {
    const parts = sizes.map((size) => randomBytes(size))
    const size_bytes = sizes.reduce((sum, size) => sum + size, 0)
    const primary_file = { filename: 'app.iso', size_bytes }
    const { pending_upload_id } = await requestUpload(service, tenant, { primary_file })
    for (const [index, bytes] of parts.entries()) {
      const part = { pending_upload_id, part_number: index + 1, content_length: bytes.length }
      assert.equal((await put(await requestPart(service, tenant, part), bytes)).status, 200)
    }
    const { status, body, text } = await verify(service, tenant, pending_upload_id)
    assert.equal(status, 200, text)
    const id = body.build.id as string
    await until('the inspection and the checksums', async () => {
      const { rows } = await sql<{ is_done: boolean }>`
        select processing not in ('queued', 'waiting') and checksum_sha256 is not null as is_done
        from builds join files on files.build_id = builds.id where builds.id = ${id}`.execute(service.deps.db)
      return rows[0]?.is_done
    })
    await rehashBuild(service.deps, id, new AbortController().signal)
    return { id, sha256: createHash('sha256').update(Buffer.concat(parts)).digest('hex') }
  }

  const fileOf = async (id: string) => {
    const path = `/applications/${tenant.applicationId}/builds/${id}`
    return (await service.call('GET', path, { key: tenant.applicationKey })).body.data.primary_file
  }

  /** Records a wrong checksum, as versions did that did not compare what they read with the ETag. */
  const recordWrongChecksum = (id: string) =>
    sql`update files set checksum_sha256 = ${wrongSha256}, checksum_sha1 = null, checksum_sha512 = null
      where build_id = ${id}`.execute(service.deps.db)

  /** Makes the manifest that of a version that did not save the sizes of the parts. */
  const forgetParts = (id: string) =>
    sql`update stored_objects set segments = jsonb_build_array((segments -> 0) - 'parts')
      where key in (select object_key from files where build_id = ${id})`.execute(service.deps.db)

  test('fsck reports a file as unreadable while every read of it is changed on the way', async () => {
    const { id } = await upload([minPartBytes, 1000])
    changedReads = Infinity
    const { code, stdout } = await fsck('--repair')
    changedReads = 0
    assert.equal(code, 1)
    assert.match(stdout, new RegExp(`^unreadable: "app.iso" of build ${id} .*proxy`, 'm'))
    assert.doesNotMatch(stdout, /^damaged|backup/m)
    assert.match(stdout, /Check the network .*, then run the command again\.$/m)
    assert.equal((await fileOf(id)).checksum_error, null)
    assert.equal((await fsck()).code, 0)
  })

  for (const [name, sizes, isOld] of [
    ['one part', [1000], false],
    ['parts of different sizes', [minPartBytes, minPartBytes + 1, 1000], false],
    ['parts of unknown sizes', [minPartBytes, minPartBytes, 1000], true],
  ] as const)
    test(`fsck corrects a wrong checksum of an intact file from ${name}`, async () => {
      const { id, sha256 } = await upload([...sizes])
      if (isOld) await forgetParts(id)
      await recordWrongChecksum(id)
      const found = await fsck('--json')
      assert.equal(found.code, 1, found.stderr)
      const problems = JSON.parse(found.stdout).findings.map(
        ({ problem, build_id }: { problem: string; build_id: string }) => [problem, build_id],
      )
      assert.deepEqual(problems, [['wrong_checksum', id]])
      const repaired = await fsck('--repair')
      assert.equal(repaired.code, 0, repaired.stdout)
      assert.match(repaired.stdout, /^wrong_checksum: .* repaired: saved the checksums$/m)
      assert.equal((await fileOf(id)).checksum_sha256, sha256)
      assert.equal((await fsck()).code, 0)
    })

  test('rereading a build corrects a wrong checksum of an intact file and changes its update time', async () => {
    const { id, sha256 } = await upload([minPartBytes, 1000])
    await recordWrongChecksum(id)
    const before = await fileOf(id)
    await rehashBuild(service.deps, id, new AbortController().signal)
    const file = await fileOf(id)
    assert.deepEqual([file.checksum_sha256, file.checksum_error], [sha256, null])
    assert.notEqual(file.updated_at, before.updated_at)
  })

  test('reads a file again whose ETag does not show that bytes were changed on the way', async () => {
    const { id, sha256 } = await upload([minPartBytes, minPartBytes + 1, 1000])
    await forgetParts(id)
    const { db } = service.deps
    const noChecksums = { checksum_md5: null, checksum_sha256: null, checksum_sha512: null }
    for (const recorded of [{ checksum_sha512: null }, noChecksums]) {
      await db.updateTable('files').set(recorded).where('build_id', '=', id).execute()
      // A new file is left to another job.
      await sql`update files set created_at = created_at - interval '2 hours' where build_id = ${id}`.execute(
        db,
      )
      changedReads = 1
      await rehashBuild(service.deps, id, new AbortController().signal)
      const file = await fileOf(id)
      assert.deepEqual([file.checksum_sha256, file.checksum_error], [sha256, null])
    }
    await db.updateTable('files').set(noChecksums).where('build_id', '=', id).execute()
    changedReads = 1
    const { code, stdout } = await fsck('--repair')
    assert.equal(code, 0, stdout)
    assert.equal((await fileOf(id)).checksum_sha256, sha256)
    await recordWrongChecksum(id)
    const damaged = await fsck()
    assert.equal(damaged.code, 1)
    assert.match(damaged.stdout, /^damaged: /m)
  })
})
