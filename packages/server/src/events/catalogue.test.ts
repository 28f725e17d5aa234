import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventResources } from './catalogue.ts'
import type { Change } from './record-event.ts'

test('code that records an event with an unknown name or invalid data does not compile', () => {
  const build = {} as EventResources['build']
  const release = {} as EventResources['release']
  const stream = {} as EventResources['stream']
  const events: NonNullable<Change['events']> = [
    { name: 'build.created', data: { build } },
    { name: 'build.created.stream', data: { build, stream } },
    // @ts-expect-error this event is not in the catalogue
    { name: 'build.exploded', data: { build } },
    // @ts-expect-error this event carries a build, not a release
    { name: 'build.deleted', data: { release } },
    // @ts-expect-error this event also carries the stream
    { name: 'build.moved.stream', data: { build } },
    // @ts-expect-error this event does not carry a stream
    { name: 'build.moved', data: { build, stream } },
  ]
  assert.equal(events.length, 6)
})

test('code that records an unknown audit action does not compile', () => {
  const actions: Change['action'][] = [
    'build.restored',
    'workspace.logo_deleted',
    // @ts-expect-error labels cannot be restored
    'label.restored',
  ]
  assert.equal(actions.length, 3)
})
