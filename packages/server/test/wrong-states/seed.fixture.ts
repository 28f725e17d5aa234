import { uuidV7 } from '../../src/lib/ids.ts'

export type Row = Record<string, unknown>
export type Statement = { text: string; values: unknown[] }

export function insertRow(table: string, row: Row): Statement {
  const columns = Object.keys(row)
  const parameters = columns.map((_, i) => `$${i + 1}`)
  return {
    text: `insert into ${table} (${columns.join(', ')}) values (${parameters.join(', ')})`,
    values: Object.values(row),
  }
}

export const asBuild = (id: string, changes: Row = {}): Row => ({
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
  ...changes,
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
export const releaseRow = {
  workspace_id: 'w',
  application_id: 'a',
  version_major: 1,
  version_minor: 0,
  version_patch: 0,
  version_sort: '000100000000~',
  title: 'R',
}

/**
 * Workspace w contains applications a and b, and workspace v contains application c. Streams, labels, targets and
 * builds exist at each level.
 */
export const seed: readonly Statement[] = [
  insertRow('workspaces', { id: 'w', name: 'W' }),
  insertRow('workspaces', { id: 'v', name: 'V' }),
  insertRow('users', { id: 'u', email: 'u@example.org' }),
  insertRow('users', { id: 'stranger', email: 's@example.org' }),
  insertRow('workspace_members', { workspace_id: 'w', user_id: 'u', name: 'U', role: 'member' }),
  insertRow('workspace_members', { workspace_id: 'v', user_id: 'stranger', name: 'S', role: 'member' }),
  insertRow('applications', { id: 'a', workspace_id: 'w', name: 'A' }),
  insertRow('applications', { id: 'b', workspace_id: 'w', name: 'B' }),
  insertRow('applications', { id: 'c', workspace_id: 'v', name: 'C' }),
  insertRow('streams', { id: 's', application_id: 'a', name: 'default' }),
  insertRow('streams', { id: 's2', application_id: 'a', name: 'empty' }),
  insertRow('streams', { id: 'sb', application_id: 'b', name: 'default' }),
  insertRow('labels', { id: 'la', workspace_id: 'w', application_id: 'a', name: 'of-a', color }),
  insertRow('labels', { id: 'lb', workspace_id: 'w', application_id: 'b', name: 'of-b', color }),
  insertRow('labels', { id: 'lw', workspace_id: 'w', name: 'of-w', color }),
  insertRow('labels', { id: 'lv', workspace_id: 'v', name: 'of-v', color }),
  insertRow('custom_targets', {
    id: '00000000-0000-7000-8000-000000000001',
    workspace_id: 'w',
    platform: 'ios',
    name: 'T',
  }),
  insertRow('custom_targets', {
    id: '00000000-0000-7000-8000-000000000002',
    ...other,
    platform: 'ios',
    name: 'T',
  }),
  insertRow('builds', asBuild('b1')),
  insertRow('builds', asBuild('b2')),
  insertRow('builds', asBuild('bb', { application_id: 'b', stream_id: 'sb' })),
  insertRow('stored_objects', { key: 'o1', size_bytes: 1, segments: '[]' }),
  insertRow('stored_objects', { key: 'o2', size_bytes: 1, segments: '[]' }),
  insertRow('files', {
    id: uuidV7(),
    build_id: 'b1',
    role: 'primary',
    filename: 'f.apk',
    size_bytes: 1,
    filetype: 'apk',
    object_key: 'o1',
  }),
  insertRow('releases', { id: 'r', ...releaseRow }),
  insertRow('distribution_groups', { id: 'g', workspace_id: 'w', name: 'G', type: 'external' }),
  insertRow('distribution_groups', { id: 'gv', workspace_id: 'v', name: 'G', type: 'external' }),
  insertRow('portals', { id: 'p', workspace_id: 'w', name: 'P', type: 'public' }),
]
