import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLayers } from './check-layers.ts'

const file = (path: string, text: string) => ({ path: `packages/server/src/${path}`, text })

const catalogue = file(
  'events/catalogue.ts',
  `export const eventCatalogue = {\n  'build.created': { title: 'New' },\n  'build.moved': { title: 'Moved' },\n} as const satisfies object`,
)

const emits = (...files: { path: string; text: string }[]) =>
  checkLayers([catalogue, ...files]).map(({ line, message }) => `${line} ${message}`)

const unused = '3 the event build.moved is never emitted: emit it or remove it from the catalogue'
const created = file('features/builds/create.ts', `record({ events: [{ name: 'build.created', data: {} }] })`)

test('reports an event that is never emitted', () => {
  assert.deepEqual(emits(created), [unused])
})

test('ignores names in audit entries, types, descriptions and tests', () => {
  assert.deepEqual(
    emits(
      created,
      file('features/builds/move.ts', `record({ action: 'build.moved' })`),
      file('features/builds/build.ts', `export type Moved = { name: 'build.moved'; data: object }`),
      file('features/webhooks/texts.ts', `export const texts = { 'build.moved': 'A build is moved.' }`),
      file('features/builds/move.test.ts', `send({ name: 'build.moved', data: {} })`),
    ),
    [unused],
  )
})

test('finds an event that is one of two choices', () => {
  const text = `record({ name: isNew ? 'build.created' : ('build.moved' as const), data: {} })`
  assert.deepEqual(emits(file('features/builds/change.ts', text)), [])
})

test('finds an event whose name is passed to the function that emits it, in files that import it', () => {
  const forwarder = file(
    'features/builds/status.ts',
    `export const change = ({ event }: Change) => record({ name: event, data: {} })`,
  )
  const call = `change({ event: 'build.moved' })`
  const caller = file('features/builds/move.ts', `import { change } from './status.ts'\n${call}`)
  assert.deepEqual(emits(created, forwarder, caller), [])
  assert.deepEqual(emits(created, forwarder, file('features/builds/move.ts', call)), [unused])
})
