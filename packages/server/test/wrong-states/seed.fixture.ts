import { uuidV7 } from '../../src/lib/ids.ts'

export type Row = Record<string, unknown>
export type Statement = { text: string; values: unknown[] }

export function asRow(table: string, row: Row): Statement {
  const columns = Object.keys(row)
  const places = columns.map((_, i) => `$${i + 1}`)
  return {
    text: `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`,
    values: Object.values(row),
  }
}

export const asBuild = (id: string, change: Row = {}): Row => ({
  id,
  workspace_id: 'w',
  application_id: 'a',
  build_structure: 'file',
  version_major: 1,
  version_minor: 0,
  version_patch: 0,
  version_sort: '000100000000~',
  platform: 'android',
  stream_id: 's',
  size_total_bytes: 1,
  build_source: 'cli-upload',
  ...change,
})

export const asUpload = (): Row => ({
  id: uuidV7(),
  kind: 'build',
  workspace_id: 'w',
  application_id: 'a',
  draft: '{}',
  stream_id: 's',
  expires_at: '2026-11-22T00:00:00Z',
})

const other = { workspace_id: 'w', application_id: 'b' }
const color = '#ff0000'
const release = {
  version_major: 1,
  version_minor: 0,
  version_patch: 0,
  version_sort: '000100000000~',
  title: 'R',
}

/** Workspace w with applications a and b, workspace v with c; streams, labels, targets and builds of each level. */
export const seed: readonly Statement[] = [
  asRow('workspaces', { id: 'w', name: 'W' }),
  asRow('workspaces', { id: 'v', name: 'V' }),
  asRow('users', { id: 'u', name: 'U', email: 'u@example.org' }),
  asRow('users', { id: 'stranger', name: 'S', email: 's@example.org' }),
  asRow('workspace_members', { workspace_id: 'w', user_id: 'u', role: 'member' }),
  asRow('workspace_members', { workspace_id: 'v', user_id: 'stranger', role: 'member' }),
  asRow('applications', { id: 'a', workspace_id: 'w', name: 'A' }),
  asRow('applications', { id: 'b', workspace_id: 'w', name: 'B' }),
  asRow('applications', { id: 'c', workspace_id: 'v', name: 'C' }),
  asRow('streams', { id: 's', application_id: 'a', name: 'default' }),
  asRow('streams', { id: 's2', application_id: 'a', name: 'empty' }),
  asRow('streams', { id: 'sb', application_id: 'b', name: 'default' }),
  asRow('labels', { id: 'la', workspace_id: 'w', application_id: 'a', name: 'of-a', color }),
  asRow('labels', { id: 'lb', workspace_id: 'w', application_id: 'b', name: 'of-b', color }),
  asRow('labels', { id: 'lw', workspace_id: 'w', name: 'of-w', color }),
  asRow('labels', { id: 'lv', workspace_id: 'v', name: 'of-v', color }),
  asRow('custom_targets', {
    id: '00000000-0000-7000-8000-000000000001',
    workspace_id: 'w',
    platform: 'ios',
    name: 'T',
  }),
  asRow('custom_targets', {
    id: '00000000-0000-7000-8000-000000000002',
    ...other,
    platform: 'ios',
    name: 'T',
  }),
  asRow('builds', asBuild('b1')),
  asRow('builds', asBuild('b2')),
  asRow('builds', asBuild('bb', { application_id: 'b', stream_id: 'sb' })),
  asRow('stored_objects', { key: 'o1', size_bytes: 1, segments: '[]' }),
  asRow('stored_objects', { key: 'o2', size_bytes: 1, segments: '[]' }),
  asRow('files', {
    id: uuidV7(),
    build_id: 'b1',
    role: 'primary',
    filename: 'f.apk',
    size_bytes: 1,
    filetype: 'apk',
    object_key: 'o1',
  }),
  asRow('releases', { id: 'r', workspace_id: 'w', application_id: 'a', ...release }),
  asRow('distribution_groups', { id: 'g', workspace_id: 'w', name: 'G', type: 'external' }),
  asRow('distribution_groups', { id: 'gv', workspace_id: 'v', name: 'G', type: 'external' }),
  asRow('portals', { id: 'p', workspace_id: 'w', name: 'P', type: 'public' }),
]
