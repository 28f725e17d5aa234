import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { applyPatch } from '@quayside/sdk/apply-patch'
import { nodePatchTools } from '@quayside/sdk/node-patch-tools'
import { readPatchIndex } from '@quayside/sdk/patch-format'
import { inTransaction } from '../src/database/transaction.ts'
import type { Deps } from '../src/deps.ts'
import { rereadOutdatedBuilds } from '../src/features/builds/inspection/reread-builds.job.ts'
import { patchBuild } from '../src/features/builds/patches/patch-build.job.ts'
import { uuidV7 } from '../src/lib/ids.ts'
import { findStoredObject, insertStoredObject } from '../src/storage/objects/stored-objects.db.ts'
import type { Service, Tenant } from './harness.ts'
import { uploadedBuild } from './uploading.ts'

/** Downloads a patch and returns the file that it restores from `old`. Temporary files are in `folder`. */
export async function restoreFromPatch(url: string, old: Uint8Array, folder: string): Promise<Buffer> {
  const response = await fetch(url)
  assert.equal(response.status, 200)
  const patch = sourceOfBytes(Buffer.from(await response.arrayBuffer()))
  const tools = nodePatchTools(folder, crc32)
  const index = readPatchIndex(patch, tools)
  return Buffer.concat([...applyPatch({ patch, index, old: sourceOfBytes(old) }, tools)])
}

/** Returns bytes like those of a program: chunks differ when addresses do, and a patch describes these in a few bytes. */
export function programWith(shift: number, code: Buffer): Buffer {
  const bytes = Buffer.from(code)
  for (let at = 0; at + 64 <= bytes.length; at += 64) bytes.writeUInt32LE((at * 7 + shift) >>> 0, at)
  return bytes
}

type Uploaded = Awaited<ReturnType<typeof uploadedBuild>>

/** Uploads two versions of a program, and creates the patch between them. */
export async function uploadPatchedPair(service: Service, tenant: Tenant): Promise<Uploaded[]> {
  const code = randomBytes(1_500_000)
  const upload = (shift: number) =>
    uploadedBuild(service, tenant, { primary_file: { filename: 'tool.bin' } }, programWith(shift, code))
  const pair = [await upload(1), await upload(99)]
  const queue = { ...service.deps.queue, enqueue: async () => {} }
  await rereadOutdatedBuilds({ ...service.deps, queue }, new AbortController().signal)
  await patchesOf(service.deps).createPatch(pair[1]?.build.id)
  return pair
}

/** Asserts that the service offers a patch between two versions that restores the second. */
export async function assertIsPatched(
  service: Service,
  { applicationId, applicationKey: key }: Tenant,
  [old, next]: Uploaded[],
): Promise<void> {
  assert.ok(old && next)
  const { id, primary_file } = next.build
  const path = `/applications/${applicationId}/builds/${id}/files/${primary_file.id}/patches`
  const { body } = await service.call('GET', path, { key })
  assert.equal(body.data?.length, 1)
  const restored = await restoreFromPatch(body.data[0].temp_url, old.bytes, service.dataDir)
  assert.ok(restored.equals(next.bytes))
}

const sourceOfBytes = (bytes: Uint8Array) => ({
  sizeBytes: bytes.length,
  read: (target: Uint8Array, position: number) =>
    target.set(bytes.subarray(position, position + target.length)),
})

/** Returns functions that create and change patches on a server. */
export function patchesOf(deps: Deps) {
  const findPatch = (buildId: string) =>
    deps.db
      .selectFrom('file_patches')
      .innerJoin('files', 'files.id', 'file_id')
      .select(['file_id', 'file_patches.object_key', 'failure'])
      .where('build_id', '=', buildId)
      .executeTakeFirst()
  return {
    async createPatch(buildId: string) {
      await patchBuild.handle(deps, { buildId }, new AbortController().signal)
      const patch = await findPatch(buildId)
      assert.ok(patch?.object_key, patch?.failure ?? 'there is no patch')
    },
    async changePatch(buildId: string, change: (patch: Buffer) => Buffer) {
      const { db, storage } = deps
      const patch = await findPatch(buildId)
      const stored = await findStoredObject(db, patch?.object_key ?? '')
      assert.ok(patch && stored)
      const parts: Uint8Array[] = []
      for await (const bytes of storage.read(stored)) parts.push(bytes)
      const changed = change(Buffer.concat(parts))
      const object = await storage.store(uuidV7(), changed)
      await inTransaction(db, async (tx) => {
        await insertStoredObject(tx, object)
        const checksum_sha256 = createHash('sha256').update(changed).digest('hex')
        await tx
          .updateTable('file_patches')
          .set({ object_key: object.key, size_bytes: changed.length, checksum_sha256 })
          .where('file_id', '=', patch.file_id)
          .execute()
      })
    },
  }
}
