import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Label, ListedBuild, Stream } from '@quayside/sdk'
import type { BuildAction } from './build-actions.ts'
import { buildChanges } from './build-changes.ts'

const label = { id: 'qa', name: 'QA' } as Label
const stable = { id: 'stable', name: 'stable' } as Stream
const build = (id: string, fields: Partial<ListedBuild> = {}): ListedBuild =>
  ({ id, labels: [], keep_forever: false, stream: { id: 'nightly' }, ...fields }) as unknown as ListedBuild
const builds = [build('plain'), build('set', { labels: [label], keep_forever: true, stream: stable })]

const changed = ({ changes }: BuildAction) => builds.filter(changes).map(({ id }) => id)

test('changes only builds that differ, so that undo restores each of them', () => {
  assert.deepEqual(changed(buildChanges.label(label)), ['plain'])
  assert.deepEqual(changed(buildChanges.unlabel(label)), ['set'])
  assert.deepEqual(changed(buildChanges.keep()), ['plain'])
  assert.deepEqual(changed(buildChanges.unkeep()), ['set'])
  assert.deepEqual(changed(buildChanges.move(stable, undefined)), ['plain'])
  assert.deepEqual(changed(buildChanges.delete()), ['plain', 'set'])
})
