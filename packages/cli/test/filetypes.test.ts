import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  genericExtensions,
  genericPlatforms,
  nativeExtensions,
  unknownTypePlatforms,
} from '../../sdk/src/files/filetypes.data.ts'
import { acceptedExtensions, acceptsUnknown } from '../../server/src/catalog/filetypes.ts'
import { platformSlugs } from '../../server/src/catalog/platforms.ts'

const sorted = (slugs: string) => slugs.split(' ').toSorted()

test('accepts the same file extensions as the server for each platform', () => {
  const server: Record<string, string[]> = {}
  for (const platform of platformSlugs.toSorted())
    for (const extension of acceptedExtensions(platform)) (server[extension] ??= []).push(platform)
  const generic = [...genericExtensions].map((extension) => [extension, sorted(genericPlatforms)])
  const native = Object.entries(nativeExtensions).map(([extension, slugs]) => [extension, sorted(slugs)])
  assert.deepEqual(Object.fromEntries([...generic, ...native]), server)
})

test('accepts unknown file types for the same platforms as the server', () => {
  assert.deepEqual(sorted(unknownTypePlatforms), platformSlugs.filter(acceptsUnknown).toSorted())
})
