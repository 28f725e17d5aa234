import { randomBytes, randomUUID } from 'node:crypto'
import type { Db } from '../../database/transaction.ts'
import { failure, ok, reasonOf, warning, type Finding } from '../../lib/finding.ts'
import { sizeString } from '../../lib/sizes.ts'
import type { StorageDriver } from '../../storage/driver.ts'
import { assertSameInstallation } from '../../storage/installation/installation.ts'

const testBytes = 64 * 1024
const lowShare = 0.1

/** Checks that storage belongs to the database, and stores, reads and deletes a file in it. */
export async function checkStorage(db: Db, storage: StorageDriver): Promise<Finding[]> {
  try {
    await assertSameInstallation(db, storage.identity)
    await storage.check()
    const bytes = randomBytes(testBytes)
    const object = await storage.store(randomUUID(), bytes)
    const chunks: Uint8Array[] = []
    for await (const chunk of storage.read(object)) chunks.push(chunk)
    await storage.remove(object)
    if (!Buffer.concat(chunks).equals(bytes)) throw new Error('the bytes read differ from the bytes written')
  } catch (error) {
    return [
      failure(
        'storage',
        reasonOf(error),
        'Check QUAYSIDE_DATA_DIR or the QUAYSIDE_S3 settings, the mount and its permissions.',
      ),
    ]
  }
  return [ok('storage', `stored and read a file in ${storage.identity.location}`), await checkSpace(storage)]
}

async function checkSpace(storage: StorageDriver): Promise<Finding> {
  const capacity = await storage.findCapacity()
  if (capacity === undefined) return ok('disk', 'the store has no fixed size')
  const { sizeBytes, usableBytes } = capacity
  const detail = `${sizeString(usableBytes)} of ${sizeString(sizeBytes)} can be used for uploads`
  const advice = 'Delete builds, shorten retention or enlarge the disk.'
  if (usableBytes === 0) return failure('disk', detail, `Uploads are rejected. ${advice}`)
  return usableBytes < sizeBytes * lowShare ? warning('disk', detail, advice) : ok('disk', detail)
}
