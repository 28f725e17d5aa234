import type { SealedObject } from './driver.ts'
import { listKey } from './local-folders.ts'
import type { LocalLayout } from './local-layout.ts'
import { sealParts } from './local-objects.ts'
import { stagePart } from './local-staging.ts'
import type { PartWriter } from './part-writer.ts'

/** Bytes of our own go the way of an upload: a file, fsync, and the rename that seals them. */
export async function storeBytes(
  parts: { layout: LocalLayout; writer: PartWriter },
  key: string,
  bytes: Uint8Array,
): Promise<SealedObject> {
  await stagePart(parts, { key, partNumber: 0, sizeBytes: bytes.length }, inOne(bytes))
  return sealParts(parts.layout, key, await listKey(parts.layout, key))
}

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
