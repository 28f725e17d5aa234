import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno, Problem } from '../lib/problem.ts'
import type { Digests } from './hashing.ts'
import { exists, partName, syncFolder, type LocalLayout } from './local-layout.ts'
import type { PartWriter } from './part-writer.ts'

export type IncomingPart = { key: string; partNumber: number; sizeBytes: number }

/** Stores one attempt at a part; durable when it resolves. Throws `conflict` if the key is sealed. */
export async function stagePart(
  { layout, writer }: { layout: LocalLayout; writer: PartWriter },
  part: IncomingPart,
  body: AsyncIterable<Uint8Array>,
): Promise<Digests> {
  await requireUnsealed(layout, part.key)
  const temporary = join(layout.tmp, `put.${randomUUID()}`)
  try {
    const digests = await writer.write(temporary, part.sizeBytes, body)
    await moveToStaging(layout, part.key, temporary, partName({ ...part, ...digests }))
    return digests
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Throws `conflict` if the key is sealed. */
export async function requireUnsealed(layout: LocalLayout, key: string): Promise<void> {
  if (await exists(layout.objects(key).folder)) throw alreadySealed()
}

/** Moves the file into place. A seal may move the folder at any time, so only the file's final location counts. */
async function moveToStaging(
  layout: LocalLayout,
  key: string,
  temporary: string,
  name: string,
): Promise<void> {
  const staging = layout.staging(key)
  const objects = layout.objects(key)
  await layout.ensureParent(staging.parent)
  try {
    await mkdir(staging.folder, { recursive: true })
    await rename(temporary, join(staging.folder, name))
    await Promise.all([syncFolder(staging.folder), syncFolder(staging.parent)])
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
  }
  if (await exists(join(objects.folder, name))) {
    await Promise.all([objects.folder, objects.parent, staging.parent].map(syncFolder))
  } else if (await exists(objects.folder)) {
    await rm(join(staging.folder, name), { force: true })
    await rmdir(staging.folder).catch(() => undefined)
    throw alreadySealed()
  } else if (!(await exists(join(staging.folder, name)))) {
    throw new Problem(
      'conflict',
      'storage.upload_gone',
      'This upload was aborted while the file was being sent. Request a new one.',
    )
  }
}

const alreadySealed = (): Problem =>
  new Problem(
    'conflict',
    'storage.already_sealed',
    'This upload is already verified and can no longer be changed.',
  )
