import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventResources } from './catalogue.ts'
import type { Change } from './record-event.ts'

test('rejects events with an unknown name or invalid data at compile time', () => {
  const build = {} as EventResources['build']
  const release = {} as EventResources['release']
  const stream = {} as EventResources['stream']
  const events: NonNullable<Change['events']> = [
    { name: 'build.created', data: { build } },
    { name: 'build.created.stream', data: { build, stream } },
    // @ts-expect-error this event is not in the catalogue
    { name: 'build.exploded', data: { build } },
    // @ts-expect-error this event contains a build, not a release
    { name: 'build.deleted', data: { release } },
    // @ts-expect-error this event must also contain the stream
    { name: 'build.moved.stream', data: { build } },
    // @ts-expect-error this event must not contain a stream
    { name: 'build.moved', data: { build, stream } },
  ]
  assert.equal(events.length, 6)
})

test('rejects unknown audit actions at compile time', () => {
  const actions: Change['action'][] = [
    'build.restored',
    'workspace.logo_deleted',
    // @ts-expect-error labels cannot be restored
    'label.restored',
  ]
  assert.equal(actions.length, 3)
})
