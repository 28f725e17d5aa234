import type { QuarantinedKey, StoredKey } from '../driver.ts'
import { deleteObject, listObjects, listParts, listUploads, putText } from './s3-objects.ts'
import type { S3Store } from './s3-seal.ts'
import { deleteStaged } from './s3-staging.ts'

/*
 * The bytes of a quarantined key stay where they are, because a copy would take long, would fail above 5 GiB and would
 * change the ETag. An empty object in quarantine/ records the time.
 */

/** Lists every key that has not been written since the given time and is not in quarantine. */
export async function* listKeys(
  store: S3Store,
  { unchangedSince }: { unchangedSince: Date },
): AsyncGenerator<StoredKey> {
  const { calls, layout } = store
  const listed = new Set<string>()
  for await (const { key, state } of listQuarantined(store)) listed.add(`${state} ${key}`)
  const isNew = ({ key, state }: StoredKey): boolean => {
    const entry = `${state} ${key}`
    return !listed.has(entry) && listed.add(entry).size > 0
  }
  for (const [area, state] of [
    ['staging', 'staged'],
    ['objects', 'sealed'],
  ] as const) {
    for await (const { name, storedAt } of listObjects(calls, `${layout.prefix}${area}/`)) {
      const key = layout.readName(name)?.key
      if (key === undefined || storedAt >= unchangedSince) continue
      if (isNew({ key, state })) yield { key, state }
    }
  }
  for await (const { name, uploadId, openedAt } of listUploads(calls, `${layout.prefix}objects/`)) {
    const key = layout.readName(name)?.key
    if (key === undefined || openedAt >= unchangedSince) continue
    const parts = await listParts(calls, name, uploadId)
    if (parts.some(({ storedAt }) => storedAt >= unchangedSince)) continue
    if (isNew({ key, state: 'staged' })) yield { key, state: 'staged' }
  }
}

export async function quarantineKey({ calls, layout }: S3Store, found: StoredKey, at: Date): Promise<void> {
  await putText(calls, layout.quarantined({ ...found, quarantinedAt: at }), '')
}

export async function* listQuarantined({ calls, layout }: S3Store): AsyncGenerator<QuarantinedKey> {
  for await (const { name } of listObjects(calls, `${layout.prefix}quarantine/`)) {
    const found = layout.readQuarantinedName(name)
    if (found !== undefined) yield found
  }
}

export async function restoreKey({ calls, layout }: S3Store, found: QuarantinedKey): Promise<void> {
  await deleteObject(calls, layout.quarantined(found))
}

/** Deletes the bytes and then the record, so that an interrupted call is repeated by the next run. */
export async function deleteQuarantinedKey(store: S3Store, found: QuarantinedKey): Promise<void> {
  const { calls, layout } = store
  if (found.state === 'staged') await deleteStaged(store, found.key, '')
  else await deleteObject(calls, layout.objects(found.key))
  await deleteObject(calls, layout.quarantined(found))
}
