import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { applyPatch } from '@quayside/sdk/apply-patch'
import { nodePatchTools } from '@quayside/sdk/node-patch-tools'
import { readPatchIndex } from '@quayside/sdk/patch-format'
import { inTransaction } from '../src/database/transaction.ts'
import type { Deps } from '../src/deps.ts'
import { patchBuild } from '../src/features/builds/patches/patch-build.job.ts'
import { uuidV7 } from '../src/lib/ids.ts'
import { findStoredObject, insertStoredObject } from '../src/storage/objects/stored-objects.db.ts'

/** Downloads a patch and returns the file that it restores from `old`. Temporary files are in `folder`. */
export async function restoreFromPatch(url: string, old: Uint8Array, folder: string): Promise<Buffer> {
  const response = await fetch(url)
  assert.equal(response.status, 200)
  const patch = sourceOfBytes(Buffer.from(await response.arrayBuffer()))
  const tools = nodePatchTools(folder, crc32)
  const index = readPatchIndex(patch, tools)
  return Buffer.concat([...applyPatch({ patch, index, old: sourceOfBytes(old) }, tools)])
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
