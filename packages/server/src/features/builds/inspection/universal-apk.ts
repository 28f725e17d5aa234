import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tx } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { BundletoolFailed, deriveUniversalApk } from '../../../inspection/bundletool.ts'
import { uuidV7 } from '../../../lib/ids.ts'
import { newStorageKey, storeIdOf } from '../../../storage/custom/store-key.ts'
import type { SealedObject } from '../../../storage/driver.ts'
import { copyToFile } from '../../../storage/objects/copy-to-file.ts'
import { insertStoredObject } from '../../../storage/objects/stored-objects.db.ts'
import { insertFile } from '../files/file.db.ts'

type Bundle = { id: string; filename: string; filetype: string }

/**
 * Derives and stores the universal APK of an app bundle. Returns undefined if the file is not an app bundle, or if
 * bundletool is not configured or fails. The build is usable without the APK.
 */
export async function storeUniversalApk(
  { storage, hostedStorage, config, log }: Deps,
  build: Bundle,
  object: SealedObject,
  stopping: AbortSignal,
): Promise<SealedObject | undefined> {
  if (config.bundletool === undefined || build.filetype !== 'aab') return undefined
  const folder = join(config.dataDir, 'scratch', build.id)
  // A service that is killed leaves the folder behind.
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const bundle = { path: join(folder, 'bundle.aab'), sizeBytes: object.sizeBytes }
    await hostedStorage.requireSpace(object.key, 2 * object.sizeBytes)
    await copyToFile(storage, object, bundle.path)
    const apk = await deriveUniversalApk(config.bundletool, bundle, folder, stopping)
    const chunks = createReadStream(apk.path)
    return await storage.store(newStorageKey(storeIdOf(object.key)), {
      sizeBytes: apk.sizeBytes,
      chunks,
    })
  } catch (error) {
    if (!(error instanceof BundletoolFailed)) throw error
    log.warn({ reason: error.message, build: build.id }, 'no universal APK was derived from an app bundle')
    return undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Adds the universal APK to the files of a build. */
export async function insertUniversalApk(
  tx: Tx,
  { id, filename }: Pick<Bundle, 'id' | 'filename'>,
  object: SealedObject,
): Promise<void> {
  await insertStoredObject(tx, object)
  await insertFile(tx, {
    id: uuidV7(),
    build_id: id,
    role: 'universal_apk',
    filename: universalName(filename),
    size_bytes: object.sizeBytes,
    checksum_md5: object.md5 ?? null,
    checksum_sha256: object.sha256 ?? null,
    checksum_sha1: object.sha1 ?? null,
    checksum_sha512: object.sha512 ?? null,
    filetype: 'apk',
    object_key: object.key,
  })
}

const maxNameBytes = 255
const ending = '-universal.apk'

/** Returns `app-universal.apk` for `app.aab`, truncated to the maximum length of a file name. */
function universalName(filename: string): string {
  let name = filename.replace(/\.aab$/i, '')
  while (Buffer.byteLength(name) > maxNameBytes - ending.length) name = name.slice(0, -1)
  return `${name.toWellFormed()}${ending}`
}
