import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../../lib/problem.ts'
import type { Digests } from '../objects/hashing.ts'
import type { PartWriter } from '../objects/part-writer.ts'
import type { Attempts } from './attempts.ts'
import { exists, partName, type LocalLayout } from './local-layout.ts'
import { alreadySealed, requireOpen, uploadGone } from './local-tombstone.ts'

export type IncomingPart = { key: string; partNumber: number; sizeBytes: number }

export type Staging = { layout: LocalLayout; writer: PartWriter; attempts: Attempts }

export const temporaryPath = (layout: LocalLayout): string => join(layout.tmp, `put.${randomUUID()}`)

/**
 * Stores one attempt to upload a part. The attempt is durable when the promise resolves. Throws `conflict` if the key
 * is sealed or its upload was aborted. `check` receives the digests and may throw to reject the bytes.
 */
export async function stagePart(
  { layout, writer, attempts }: Staging,
  part: IncomingPart,
  body: AsyncIterable<Uint8Array>,
  {
    temporary = temporaryPath(layout),
    check,
  }: { temporary?: string; check?: (digests: Digests) => void } = {},
): Promise<Digests> {
  await requireOpen(layout, part.key)
  try {
    const digests = await writer.write(temporary, part.sizeBytes, body)
    check?.(digests)
    const name = partName({ ...part, ...digests })
    await attempts.landing(
      part.key,
      name,
      () => moveToStaging(layout, part.key, temporary, name),
      () => makeDurable(layout, part.key, name),
    )
    return digests
  } catch (error) {
    await layout.writing(() => rm(temporary, { force: true }))
    throw error
  }
}

/**
 * Moves the file into place. A concurrent seal or abort may move its folder, so `makeDurable` then checks where the
 * file is.
 */
async function moveToStaging(
  layout: LocalLayout,
  key: string,
  temporary: string,
  name: string,
): Promise<void> {
  const { folder, parent } = layout.staging(key)
  await layout.ensureParent(parent)
  try {
    await layout.writing(async () => {
      await mkdir(folder, { recursive: true })
      await rename(temporary, join(folder, name))
    })
  } catch (error) {
    if (!isErrno(error, ...folderGone)) throw error
  }
}

async function makeDurable(layout: LocalLayout, key: string, name: string): Promise<void> {
  const staging = layout.staging(key)
  const objects = layout.objects(key)
  const sync = (folders: string[]) => Promise.all(folders.map(layout.syncFolder))
  try {
    await sync([staging.folder, staging.parent])
  } catch (error) {
    if (!isErrno(error, ...folderGone)) throw error
  }
  if (await exists(join(objects.folder, name))) {
    await sync([objects.folder, objects.parent, staging.parent])
  } else if (await exists(objects.folder)) {
    await layout.writing(() => rm(join(staging.folder, name), { force: true })).catch(() => undefined)
    await layout.writing(() => rmdir(staging.folder)).catch(() => undefined)
    throw alreadySealed()
  } else if (!(await exists(join(staging.folder, name)))) {
    throw uploadGone()
  }
}

/** Error codes for a folder that was moved away or replaced by a tombstone. */
const folderGone = ['ENOENT', 'ENOTDIR', 'EEXIST']
