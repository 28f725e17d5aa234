import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno, problem } from '../../lib/problem.ts'
import { removeFolder } from './local-folders.ts'
import { exists, isKey, type LocalLayout } from './local-layout.ts'

/** Throws `conflict` if the key is sealed or its upload was aborted. */
export async function requireOpen(layout: LocalLayout, key: string): Promise<void> {
  const [isSealed, isClosed] = await layout.writing(() =>
    Promise.all([exists(layout.objects(key).folder), isTombstone(layout, key)]),
  )
  if (isSealed) throw alreadySealed()
  if (isClosed) throw uploadGone()
}

/**
 * Deletes all staged attempts and creates a tombstone, so that PUTs that are in progress or arrive later are rejected.
 * The tombstone is durable when the promise resolves. Leaves a sealed key unchanged: if an abort and a seal run
 * concurrently, the first to rename the folder succeeds.
 */
export async function closeStaging(layout: LocalLayout, key: string): Promise<void> {
  const { parent } = layout.staging(key)
  await layout.ensureParent(parent)
  // A PUT that is about to finish can recreate the folder before the tombstone is created. In that case, both steps are
  // repeated.
  for (let isClosed = false; !isClosed;) {
    await removeFolder(layout, layout.staging(key))
    if (await exists(layout.objects(key).folder)) return
    isClosed = await layout.writing(() => createTombstone(layout, key))
  }
  await layout.syncFolder(parent)
}

async function createTombstone(layout: LocalLayout, key: string): Promise<boolean> {
  try {
    await (await open(layout.staging(key).folder, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return isTombstone(layout, key)
    throw error
  }
}

async function isTombstone(layout: LocalLayout, key: string): Promise<boolean> {
  try {
    return (await stat(layout.staging(key).folder)).isFile()
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false
    throw error
  }
}

/** Deletes tombstones created before the given time, except those of keys that are `inUse`. */
export async function sweepTombstones(
  layout: LocalLayout,
  { createdBefore, inUse }: { createdBefore: Date; inUse: (key: string) => boolean },
): Promise<void> {
  const staging = join(layout.root, 'staging')
  for (const shard of await readdir(staging)) {
    const entries = await layout
      .writing(() => readdir(join(staging, shard), { withFileTypes: true }))
      .catch(() => [])
    for (const entry of entries) {
      if (!entry.isFile() || !isKey(entry.name) || inUse(entry.name)) continue
      const path = join(staging, shard, entry.name)
      const { mtime } = await layout.writing(() => stat(path))
      if (mtime < createdBefore) await layout.writing(() => rm(path, { force: true }))
    }
  }
}

export const alreadySealed = problem(
  'conflict',
  'storage.already_sealed',
  'This upload has been verified and can no longer be changed. Request a new one.',
)

export const uploadGone = problem(
  'conflict',
  'storage.upload_gone',
  'This upload was aborted, has expired or was deleted. Request a new one.',
)
