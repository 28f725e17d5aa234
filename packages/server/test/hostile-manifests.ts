import { appendFile, mkdir, rm, truncate, writeFile } from 'node:fs/promises'
import { exportPaths } from '../src/operations/export/export-folder.ts'
import { changedManifest, signText, type Case, type Manifest } from './modified-export.ts'

/** Modified manifests, which are rejected before anything is imported. */
export const hostileManifests: Case[] = [
  {
    name: 'a missing manifest',
    change: (folder) => rm(exportPaths(folder).manifest),
    code: 'export.incomplete',
    message: /Rerun the export to complete it\./,
  },
  {
    name: 'a folder instead of the manifest',
    async change(folder) {
      await rm(exportPaths(folder).manifest)
      await mkdir(exportPaths(folder).manifest)
    },
    message: /manifest\.json is not a regular file/,
  },
  {
    name: 'a truncated manifest',
    change: (folder) => truncate(exportPaths(folder).manifest, 100),
    message: /manifest\.json is damaged: it is not JSON/,
  },
  {
    name: 'a manifest that was changed without a new signature',
    change: (folder) => appendFile(exportPaths(folder).manifest, ' '),
    message: /signature of .* is missing or not valid/,
  },
  {
    name: 'a missing signature',
    change: (folder) => rm(exportPaths(folder).signature),
    message: /signature of .* is missing or not valid/,
  },
  {
    name: 'a signature that is not Base64',
    change: (folder) => writeFile(exportPaths(folder).signature, '\u0000\u0000'),
    message: /signature of .* is missing or not valid/,
  },
  {
    name: 'a manifest that is null',
    change: (folder) => signText(folder, 'null'),
    message: /signature of .* is missing or not valid/,
  },
  {
    name: 'a newer format',
    change: changedManifest((manifest) => (manifest['format'] = 2)),
    code: 'export.unknown_format',
    message: /has the format 2.*Update this server/,
  },
  {
    name: 'a newer schema',
    change: changedManifest((manifest) => (manifest['schema_version'] = 9999)),
    code: 'export.newer_version',
    message: /newer than this server. Update the server first/,
  },
  ...(
    [
      ['an ID that is a path', (manifest) => (manifest['id'] = '../../etc'), /`id` must match pattern/],
      [
        'a URL with an escape sequence',
        (manifest) => (manifest['source'] = { url: 'https://a\u001b[2J', installation_id: null }),
        /`source\.url` must match pattern/,
      ],
      [
        'a workspace ID that is a path',
        (manifest) => (manifest.scope.workspace_id = '../../..'),
        /`scope\.workspace_id` must match pattern/,
      ],
      [
        'tables that are not a list',
        (manifest) => (manifest['tables'] = {} as never),
        /`tables` must be array/,
      ],
      [
        'a table whose name is a path',
        (manifest) => (manifest.tables[0]!.name = '../../../etc/passwd'),
        /`tables\.0\.name` must match pattern/,
      ],
      [
        'a table of a newer version',
        (manifest) => (manifest.tables[0]!.name = 'api_tokens'),
        /this version has no table `api_tokens`/,
      ],
      [
        'a table of the database that is never exported',
        (manifest) => (manifest.tables[0]!.name = 'master_secret'),
        /this version has no table `master_secret`/,
      ],
      [
        'a table that is listed twice',
        (manifest) => manifest.tables.push(manifest.tables[0]!),
        /lists the table `workspaces` more than once/,
      ],
      [
        'no table of builds',
        (manifest) => (manifest.tables = manifest.tables.filter(({ name }) => name !== 'builds')),
        /lists no table `builds`/,
      ],
      [
        'a negative number of files',
        (manifest) => (manifest.files.count = -1),
        /`files\.count` must be >= 0/,
      ],
    ] satisfies [string, (manifest: Manifest) => unknown, RegExp][]
  ).map(([name, change, message]) => ({
    name: `a manifest with ${name}`,
    change: changedManifest((manifest) => void change(manifest)),
    code: 'export.invalid_manifest',
    message,
  })),
]
