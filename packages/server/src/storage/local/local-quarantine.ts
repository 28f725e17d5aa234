import { mkdir, rename, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../lib/durable-file.ts'
import { isErrno } from '../../lib/problem.ts'
import type { QuarantinedKey, StoredKey } from '../driver.ts'
import { listNames, removeFolder } from './local-folders.ts'
import { isKey, type LocalLayout } from './local-layout.ts'
import { quarantineName, readQuarantineName } from './quarantine-name.ts'

/*
 * quarantine/<time>/<staging|objects>/<key>/ is the folder of a quarantined key, which was moved there with a single
 * rename. The path contains the time of the move, because a rename does not change the folder's timestamps and the
 * database may be replaced later.
 */
const areaOf = { staged: 'staging', sealed: 'objects' } as const

const root = (layout: LocalLayout): string => join(layout.root, 'quarantine')

function locate(layout: LocalLayout, { key, state, quarantinedAt }: QuarantinedKey) {
  const run = join(root(layout), quarantineName(quarantinedAt))
  const parent = join(run, areaOf[state])
  return { run, parent, folder: join(parent, key) }
}

const originOf = (layout: LocalLayout, { key, state }: StoredKey) =>
  state === 'staged' ? layout.staging(key) : layout.objects(key)

export async function quarantineKey(layout: LocalLayout, found: StoredKey, at: Date): Promise<void> {
  const origin = originOf(layout, found)
  const target = locate(layout, { ...found, quarantinedAt: at })
  await mkdir(target.parent, { recursive: true })
  try {
    await rename(origin.folder, target.folder)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return
    throw error
  }
  for (const folder of [target.parent, target.run, root(layout), layout.root, origin.parent])
    await syncFolder(folder)
}

export async function* listQuarantinedKeys(layout: LocalLayout): AsyncGenerator<QuarantinedKey> {
  for (const name of (await listNames(root(layout))).toSorted()) {
    const quarantinedAt = readQuarantineName(name)
    if (quarantinedAt === undefined) continue
    for (const state of ['staged', 'sealed'] as const)
      for (const key of await listNames(join(root(layout), name, areaOf[state])))
        if (isKey(key)) yield { key, state, quarantinedAt }
  }
}

export async function restoreKey(layout: LocalLayout, found: QuarantinedKey): Promise<void> {
  const { folder, parent } = locate(layout, found)
  const origin = originOf(layout, found)
  await layout.ensureParent(origin.parent)
  try {
    await rename(folder, origin.folder)
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) throw error
    // The client has sent parts again in the meantime, so the folder exists. File names depend only on the content, so
    // the folders can be merged.
    for (const name of await listNames(folder)) await rename(join(folder, name), join(origin.folder, name))
    await rmdir(folder).catch(() => undefined)
    await syncFolder(origin.folder).catch(() => undefined)
  }
  await syncFolder(origin.parent)
  await syncFolder(parent).catch(() => undefined)
  await removeEmptyRun(layout, found)
}

export async function deleteQuarantinedKey(layout: LocalLayout, found: QuarantinedKey): Promise<void> {
  await removeFolder(layout, locate(layout, found))
  await removeEmptyRun(layout, found)
}

/** Removes the folders of a quarantine run if they are empty; rmdir fails for folders that are not. */
async function removeEmptyRun(layout: LocalLayout, found: QuarantinedKey): Promise<void> {
  const { parent, run } = locate(layout, found)
  for (const folder of [parent, run]) await rmdir(folder).catch(() => undefined)
}
