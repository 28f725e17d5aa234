import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../database/transaction.ts'
import { listUploadLocations } from './custom-store.db.ts'

const maxWaitMs = 1_000

/** Returns a function that lists the origins of the signed URLs of stores that applications currently use. */
export function createStoreOrigins(db: Db): () => Promise<string[]> {
  let known: string[] = []
  let origins = new Map<string, Promise<string>>()

  async function listOrigins(): Promise<string[]> {
    const locations = await listUploadLocations(db)
    if (locations.length === 0) return []
    const { clientOrigin } = await import('../s3/s3-urls.ts')
    // Each page of the console needs the origins, and computing one creates a client.
    origins = new Map(
      locations.map(({ endpoint, region, bucket, force_path_style: forcePathStyle }) => {
        const location = { endpoint: endpoint ?? undefined, region, bucket, forcePathStyle }
        const name = JSON.stringify(location)
        return [name, origins.get(name) ?? clientOrigin(location)]
      }),
    )
    return [...new Set(await Promise.all(origins.values()))]
  }

  return () => {
    // The console must also load while the database does not respond.
    const late = pause(maxWaitMs, undefined, { ref: false }).then(() => known)
    const current = listOrigins().then((found) => (known = found))
    return Promise.race([current, late]).catch(() => known)
  }
}
