import { appendFile, mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { exportPaths } from '../src/operations/export/export-folder.ts'
import { addedLine, changedManifest, changedRow, firstFile, type Case } from './modified-export.ts'

const otherId = '23456789abcd'
const copyAgain = /Copy it from the original export, then rerun the import\./

/** Modified rows and files, which are rejected before anything is imported. */
export const hostileRows: Case[] = [
  {
    name: 'rows that were changed without a new checksum',
    change: (folder) => appendFile(exportPaths(folder).rows('builds'), '{}\n'),
    message: /builds\.jsonl of the export is missing or damaged/,
  },
  {
    name: 'missing rows',
    change: (folder) => rm(exportPaths(folder).rows('streams')),
    message: /streams\.jsonl of the export is missing or damaged/,
  },
  {
    name: 'a link to another file instead of rows',
    async change(folder) {
      await rm(exportPaths(folder).rows('streams'))
      await symlink('/etc/passwd', exportPaths(folder).rows('streams'))
    },
    message: /streams\.jsonl is not a regular file/,
  },
  {
    name: 'a truncated last line',
    async change(folder) {
      const path = exportPaths(folder).rows('builds')
      const text = await readFile(path)
      await writeFile(path, text.subarray(0, -20))
    },
    message: /builds\.jsonl of the export is missing or damaged/,
  },
  {
    name: 'more rows than the manifest says',
    change: changedManifest((manifest) => (manifest.tables.find(({ name }) => name === 'builds')!.rows += 1)),
    message: /builds\.jsonl of the export is missing or damaged/,
  },
  {
    name: 'a missing list of files',
    change: (folder) => rm(exportPaths(folder).index),
    message: /files\.jsonl of the export is missing or damaged/,
  },
  {
    name: 'a line that is not JSON',
    change: addedLine('builds', '{"id":"23456'),
    code: 'export.invalid_row',
    message: /Line 3 of .*builds\.jsonl is not a JSON object/,
  },
  {
    name: 'a line that is a list',
    change: addedLine('builds', '[]'),
    code: 'export.invalid_row',
    message: /Line 3 of .*builds\.jsonl is not a JSON object/,
  },
  {
    name: 'a line of 40 MB',
    change: addedLine('builds', (first) => JSON.stringify({ ...JSON.parse(first), notes: 'x'.repeat(4e7) })),
    code: 'export.invalid_row',
    message: /A line of .*builds\.jsonl is longer than any row/,
  },
  {
    name: 'a row whose ID is a path',
    change: changedRow('builds', { id: '../../x' }),
    code: 'export.invalid_row',
    message: /Line 1 of .*builds\.jsonl has an invalid `id`/,
  },
  {
    name: 'a row whose ID is a number',
    change: changedRow('builds', { id: 7 }),
    code: 'export.invalid_row',
    message: /has an invalid `id`/,
  },
  {
    name: 'a reference of 1,000 characters',
    change: changedRow('builds', { stream_id: 'x'.repeat(1000) }),
    code: 'export.invalid_row',
    message: /has an invalid `stream_id`/,
  },
  {
    name: 'a row of another workspace',
    change: changedRow('builds', { workspace_id: otherId }),
    code: 'export.invalid_row',
    message: /Line 1 of .*builds\.jsonl belongs to another workspace/,
  },
  {
    name: 'a second workspace',
    change: addedLine('workspaces', (first) => JSON.stringify({ ...JSON.parse(first), id: otherId })),
    code: 'export.invalid_manifest',
    message: /`workspaces` must have one row/,
  },
  {
    name: 'an application whose deletion time is not a time',
    change: changedRow('applications', { deleted_at: "'; drop table builds; --" }),
    code: 'export.invalid_row',
    message: /has an invalid `deleted_at`/,
  },
  {
    name: 'an API key of the workspace in the export of an application',
    of: 'application',
    change: changedRow('api_keys', { application_id: null, kind: 'workspace' }),
    code: 'export.invalid_row',
    message: /does not belong to the exported application/,
  },
  {
    name: 'a role in the workspace in the export of an application',
    of: 'application',
    change: changedRow('workspace_members', { role: 'owner' }),
    code: 'export.invalid_row',
    message: /gives a role in the workspace/,
  },
  {
    name: 'a portal in the export of an application',
    of: 'application',
    change: addedLine('portals', JSON.stringify({ id: otherId })),
    code: 'export.invalid_row',
    message: /does not belong to the exported application/,
  },
  {
    name: 'a checksum that is a path',
    change: changedRow('files.jsonl', { sha256: '../../../../etc/passwd' }),
    code: 'export.invalid_row',
    message: /Line 1 of .*files\.jsonl is invalid: `sha256` must match pattern/,
  },
  {
    name: 'a file with a negative size',
    change: changedRow('files.jsonl', { size_bytes: -1 }),
    code: 'export.invalid_row',
    message: /is invalid: `size_bytes` must be >= 0/,
  },
  {
    name: 'an icon that is an HTML page',
    change: changedRow('files.jsonl', { icon_type: 'text/html' }),
    code: 'export.invalid_row',
    message: /is invalid: `icon_type`/,
  },
  {
    name: 'a lock file that is a link',
    async change(folder) {
      await rm(join(folder, 'instance.lock'), { force: true })
      await symlink(join(dirname(folder), 'precious'), join(folder, 'instance.lock'))
    },
    message: /instance\.lock is not a regular file/,
  },
]

/** Cases that are found during the import. The import resumes with the original files. */
export const interruptingCases: Case[] = [
  {
    name: 'a stored file with other bytes',
    change: async (folder) => {
      const path = await firstFile(folder)
      const bytes = await readFile(path)
      bytes[0]! ^= 1
      await writeFile(path, bytes)
    },
    message: copyAgain,
  },
  {
    name: 'a stored file that is too short',
    change: async (folder) => truncate(await firstFile(folder), 3),
    message: copyAgain,
  },
  {
    name: 'a missing stored file',
    change: async (folder) => rm(await firstFile(folder)),
    message: copyAgain,
  },
  {
    name: 'a folder instead of a stored file',
    async change(folder) {
      const path = await firstFile(folder)
      await rm(path)
      await mkdir(path)
    },
    message: /is not a regular file/,
  },
  {
    name: 'a build in a stream that is not exported',
    change: changedRow('builds', { stream_id: otherId }),
    code: 'export.invalid_row',
    message: /The row \w+ of the table `builds` was not imported: .*builds_stream/,
  },
  {
    name: 'two builds with the same ID',
    change: addedLine('builds', (first) => first),
    code: 'export.invalid_row',
    message: /of the table `builds` was not imported: .*duplicate key/,
  },
  {
    name: 'text in a column of numbers',
    change: changedRow('builds', { version_major: 'one' }),
    code: 'export.invalid_row',
    message: /of the table `builds` was not imported: .*invalid input syntax/,
  },
  {
    name: 'a row without a required value',
    change: changedRow('builds', { platform: null }),
    code: 'export.invalid_row',
    message: /of the table `builds` was not imported: .*null value in column "platform"/,
  },
  {
    name: 'text with a null character',
    change: changedRow('builds', { notes: 'a\u0000b' }),
    code: 'export.invalid_row',
    message: /of the table `builds` was not imported/,
  },
  {
    name: 'an unknown role',
    change: changedRow('workspace_members', { role: 'root' }),
    code: 'export.invalid_row',
    message: /of the table `workspace_members` was not imported: .*role_check/,
  },
]
