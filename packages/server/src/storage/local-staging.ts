import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../lib/problem.ts'
import type { Digests } from './hashing.ts'
import { exists, isCode, partName, syncFolder, type LocalLayout } from './local-layout.ts'
import type { PartWriter } from './part-writer.ts'

export type ArrivingPart = { key: string; partNumber: number; sizeBytes: number }

/** Stores one attempt at one part; when it resolves the bytes survive a power cut. 409 once the key is sealed. */
export async function stagePart(
  { layout, writer }: { layout: LocalLayout; writer: PartWriter },
  part: ArrivingPart,
  body: AsyncIterable<Uint8Array>,
): Promise<Digests> {
  await refuseSealed(layout, part.key)
  const temporary = join(layout.tmp, `put.${randomUUID()}`)
  try {
    const digests = await writer.write(temporary, part.sizeBytes, body)
    await land(layout, part.key, temporary, partName({ ...part, ...digests }))
    return digests
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

export async function refuseSealed(layout: LocalLayout, key: string): Promise<void> {
  if (await exists(layout.objects(key).folder)) throw alreadySealed()
}

/** Seal moves the whole folder away at any moment of this: what counts is where the file is in the end. */
async function land(layout: LocalLayout, key: string, temporary: string, name: string): Promise<void> {
  const staging = layout.staging(key)
  const objects = layout.objects(key)
  await layout.ensureParent(staging.parent)
  try {
    await mkdir(staging.folder, { recursive: true })
    await rename(temporary, join(staging.folder, name))
    await Promise.all([syncFolder(staging.folder), syncFolder(staging.parent)])
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
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
      'This upload was given up while the file was on its way.',
    )
  }
}

const alreadySealed = (): Problem =>
  new Problem(
    'conflict',
    'storage.already_sealed',
    'This upload is already verified. Its bytes cannot change any more.',
  )
