import { chmod, chown, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { isErrno } from '../../lib/problem.ts'
import type { SealedObject } from '../driver.ts'
import type { LocalLayout } from './local-layout.ts'

/**
 * Returns the `X-Accel-Redirect` path of an object's file and lets the group read the file. Returns undefined if nginx
 * cannot send the object, for example because it consists of several files and the header can name only one.
 */
export type Accelerate = (object: SealedObject) => Promise<string | undefined>

type Options = {
  layout: LocalLayout
  /** The nginx `internal` location that serves the storage folder, with a trailing slash. */
  prefix: string
  /** The group whose permissions nginx uses to read files. If undefined, permissions are not changed. */
  groupId: number | undefined
  log: Pick<Logger, 'warn'>
}

/** A group can open folders whose names it knows, but cannot list them. */
const folderMode = 0o710
const fileMode = 0o640
const privateMode = 0o700

export function createAccelerate({ layout, prefix, groupId, log }: Options): Accelerate {
  const share = async (key: string, name: string, group: number): Promise<void> => {
    const { folder, parent } = layout.objects(key)
    await layout.reading(() => grant(parent, group, folderMode))
    await layout.reading(() => grant(folder, group, folderMode))
    await layout.reading(() => grant(join(folder, name), group, fileMode))
  }
  return async (object) => {
    const [segment, ...others] = object.segments
    if (segment === undefined || others.length > 0 || object.ranges !== undefined) return undefined
    const { key = object.key, name } = segment
    try {
      // Access is granted at the first download, which also covers files that were stored before the setting was
      // enabled.
      if (groupId !== undefined) await share(key, name, groupId)
    } catch (error) {
      log.warn({ err: error, key }, 'sending a file without nginx: its group cannot be changed')
      return undefined
    }
    return `${prefix}objects/${key.slice(-2)}/${key}/${name}`
  }
}

/** Lets the group open the folders that contain stored objects, but not those of uploads and quarantined files. */
export async function shareStorageFolder({ root, tmp }: LocalLayout, groupId: number): Promise<void> {
  for (const folder of [tmp, join(root, 'staging'), join(root, 'quarantine')])
    await chmod(folder, privateMode).catch((error: unknown) => {
      if (!isErrno(error, 'ENOENT')) throw error
    })
  for (const folder of [join(root, 'objects'), root]) await grant(folder, groupId, folderMode)
}

/** Gives the group access to a path. The mode is changed last, so that the previous group never gets access. */
async function grant(path: string, groupId: number, mode: number): Promise<void> {
  const found = await stat(path)
  if (found.gid !== groupId) await chown(path, found.uid, groupId)
  if (found.gid !== groupId || (found.mode & 0o777) !== mode) await chmod(path, mode)
}
