import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FullBuild, FullRelease, ReleaseAudience } from '@quayside/sdk'
import { isHigherVersion } from '../version.ts'
import { checkRelease, type ReleaseFacts } from './check-release.ts'

const platform = (identifier: string) => ({ identifier, name: identifier, short_name: identifier })

type BuildParts = {
  id?: string
  version?: string
  platform?: string
  processing?: string
  checksum?: string | null
  signature?: string
  permissions?: string[]
}

const build = ({ id = 'b', version = '2.0.0', processing = 'done', ...parts }: BuildParts = {}): FullBuild =>
  ({
    id,
    version,
    processing,
    platform: platform(parts.platform ?? 'android'),
    primary_file: {
      filename: `${id}.apk`,
      checksum_sha256: parts.checksum === undefined ? 'ab' : parts.checksum,
    },
    file_info: { signature_status: parts.signature ?? 'valid' },
    android_info: { permissions: parts.permissions ?? [] },
  }) as unknown as FullBuild

const release = (version: string, builds: readonly FullBuild[], notes: string | null = 'New'): FullRelease =>
  ({ version, notes, builds, platforms: builds.map((each) => each.platform) }) as unknown as FullRelease

const audience = (parts: Partial<ReleaseAudience> = {}): ReleaseAudience => ({
  to_notify_count: 0,
  groups: [],
  portals: [],
  streams: [],
  channels: [],
  share_link_count: 1,
  ...parts,
})

const statesOf = (facts: Partial<ReleaseFacts> & { release: FullRelease }) =>
  Object.fromEntries(
    checkRelease({
      previous: undefined,
      builds: facts.release.builds as FullBuild[],
      before: new Map(),
      audience: audience(),
      ...facts,
    }).map(({ id, state, fix }) => [id, fix === undefined ? state : `${state} ${fix.kind}`]),
  )

test('has nothing open for a complete release', () => {
  const [before, now] = [build({ id: 'a', version: '1.0.0' }), build()]
  const facts = { previous: release('1.0.0', [before]), before: new Map([[now.id, before]]) }
  assert.deepEqual(
    new Set(Object.values(statesOf({ release: release('2.0.0', [now]), ...facts }))),
    new Set(['done']),
  )
})

test('has nothing to compare in a first release', () => {
  const states = statesOf({ release: release('1.0.0', [build({ version: '1.0.0', signature: 'unknown' })]) })
  const names = Object.keys(states).filter((id) => states[id] === 'none')
  assert.deepEqual(names, ['platforms', 'version', 'signatures', 'permissions'])
})

test('lists what is missing with what resolves it', () => {
  const before = build({ id: 'a', platform: 'ios' })
  const now = build({ version: '1.9.0', processing: 'failed', checksum: null, signature: 'unsigned' })
  assert.deepEqual(
    statesOf({
      release: release('2.0.0', [now], ' '),
      previous: release('2.0.0', [before]),
      audience: audience({ share_link_count: 0 }),
    }),
    {
      notes: 'open notes',
      platforms: 'open add-builds',
      processing: 'open build',
      version: 'open edit',
      'build-versions': 'open edit',
      checksums: 'open build',
      signatures: 'open build',
      permissions: 'none',
      audience: 'open audience',
    },
  )
})

test('leaves out what a release without builds cannot have', () => {
  assert.deepEqual(Object.keys(statesOf({ release: release('1.0.0', []) })), [
    'notes',
    'platforms',
    'version',
    'permissions',
    'audience',
  ])
})

test('asks for new sensitive permissions in the notes, however they are written', () => {
  const before = build({ id: 'a', permissions: ['android.permission.INTERNET'] })
  const now = build({
    permissions: [
      'android.permission.INTERNET',
      'android.permission.READ_CONTACTS',
      'android.permission.VIBRATE',
    ],
  })
  const stateWith = (notes: string) =>
    statesOf({ release: release('2.0.0', [now], notes), before: new Map([[now.id, before]]) })['permissions']
  assert.equal(stateWith('A map.'), 'open edit-notes')
  assert.equal(stateWith('The app can read  contacts.'), 'done')
  assert.equal(stateWith('Needs READ_CONTACTS.'), 'done')
})

test('orders versions by SemVer precedence', () => {
  const ascending = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0',
    '1.0.10',
    '1.2.0',
    '2.0.0',
  ]
  for (const [index, version] of ascending.entries())
    for (const [other, than] of ascending.entries())
      assert.equal(isHigherVersion(version, than), index > other, `${version} > ${than}`)
})
