import { lstat, readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { CommandContext } from '../../../command-context.ts'
import { Failure } from '../../../failure.ts'
import { listBelow } from '../../../files/list-below.ts'
import type { Agents } from '../../../transfer/agents.ts'
import { fileChecksum } from '../../../transfer/file-checksum.ts'
import { ignoring } from '../../mirror/mirror-folder.ts'
import type { SourceFile } from '../import-source.ts'
import type { ReleaseService, ReleaseSource } from './release-source.ts'
import { fieldsOf, idOf, listOf, md5Of, sizeOf, textOf, timeOf } from './untrusted-json.ts'
import type { Fields } from './untrusted-json.ts'
import { groupByVersion } from './version-groups.ts'
import type { UploadedBuild } from './version-groups.ts'

type SavedFile = { path: string; sizeBytes: number }
/** A release of App Center with the JSON files that describe nothing else. */
type SavedRelease = { id: string; fields: Fields; own: string[] }
type SavedFolder = { app: Fields; releases: SavedRelease[]; files: SavedFile[] }

const maxJsonBytes = 32 * 1024 * 1024
const maxFiles = 100_000

/** The values of `app_os` and `os`, and the platforms of Quayside. */
const platforms: Record<string, string> = {
  ios: 'ios',
  android: 'android',
  macos: 'macos',
  windows: 'windows',
  tvos: 'apple-tv',
  linux: 'linux',
}

/** A folder with the responses of the API of App Center, which was shut down, beside the files of its releases. */
export const appcenter: ReleaseService = {
  options: [],
  readsFolder: true,
  async open({ agents }: CommandContext, _options, { folder }) {
    const { app, releases, files } = await readSaved(folder)
    const newest = releases[0]?.fields
    if (newest === undefined)
      throw new Failure(
        'failed',
        `${folder} contains no release of App Center. Save the responses of its API there as JSON files.`,
      )
    const names = [app['display_name'], newest['app_display_name'], app['name'], newest['app_name']]
    const name = names.map(textOf).find((text) => text !== null) ?? basename(folder)
    const owner = textOf(fieldsOf(app['owner'])['name'])
    const os = textOf(newest['app_os']) ?? textOf(app['os'])
    const unusable: ReleaseSource['unusable'] = []
    return {
      id: `appcenter ${owner ?? ''} ${textOf(app['name']) ?? name} ${os ?? ''}`,
      name,
      description: textOf(app['description']),
      repositoryUrl: null,
      repositoryHost: null,
      neverImported: 'testers, distribution groups, store connections, crashes and analytics',
      unusable,
      async *releases() {
        const builds: UploadedBuild[] = []
        for (const release of releases) {
          const file = findFile(release, releases, files)
          const build = describeBuild(release, file, os, agents)
          if (typeof build === 'string') unusable.push({ what: `the release ${release.id}`, reason: build })
          else builds.push(build)
        }
        yield* groupByVersion(builds)
      },
    }
  },
}

/** Reads all JSON files of the folder and lists the other files. */
async function readSaved(folder: string): Promise<SavedFolder> {
  const found: SavedFolder = { app: {}, releases: [], files: [] }
  const releases = new Map<string, SavedRelease>()
  for (const { path, sizeBytes } of await listFiles(folder)) {
    const isJson = /\.json$/i.test(path) && sizeBytes <= maxJsonBytes
    const value = isJson ? parse(await readFile(path, 'utf8')) : undefined
    const described = releasesIn(value)
    const fields = fieldsOf(value)
    if (described.length === 0 && textOf(fields['app_secret']) !== null) found.app = fields
    else if (described.length === 0) found.files.push({ path, sizeBytes })
    for (const release of described) {
      const id = idOf(release['id']) ?? ''
      const known = releases.get(id) ?? { id, fields: {}, own: [] }
      known.fields = { ...known.fields, ...release }
      if (described.length === 1) known.own.push(path)
      releases.set(id, known)
    }
  }
  const newestFirst = [...releases.values()].toSorted((a, b) => timeIn(b).localeCompare(timeIn(a)))
  return { ...found, releases: newestFirst }
}

const timeIn = ({ fields }: SavedRelease): string => timeOf(fields['uploaded_at']) ?? ''

/** Returns the files of the folder and of the folders in it. */
async function listFiles(folder: string): Promise<SavedFile[]> {
  const found = await listBelow(folder).catch(ignoring('ENOENT', 'ENOTDIR'))
  if (found === undefined) throw new Failure('failed', `${folder} is not a folder. Check the path.`)
  if (found.length > maxFiles)
    throw new Failure('failed', `${folder} contains more than ${maxFiles} files. Use the folder of one app.`)
  const files: SavedFile[] = []
  for (const { path, isFile } of found) {
    // Links could point to files outside the folder.
    const stats = isFile ? await lstat(path).catch(ignoring('ENOENT')) : undefined
    if (stats?.isFile()) files.push({ path, sizeBytes: stats.size })
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the releases in a saved response: a release, a list of them, or an object with such a list. */
function releasesIn(value: unknown): Fields[] {
  const list = Array.isArray(value) ? listOf(value) : listOf(fieldsOf(value)['releases'])
  return (list.length > 0 ? list : [fieldsOf(value)]).filter(
    (release) => idOf(release['id']) !== null && textOf(release['short_version']) !== null,
  )
}

function describeBuild(
  { id, fields }: SavedRelease,
  file: SavedFile | undefined,
  os: string | null,
  agents: Agents,
): UploadedBuild | string {
  if (file === undefined) return `No file of the release was found. Name it ${id} with its extension.`
  const build = fieldsOf(fields['build'])
  const version = textOf(fields['short_version']) ?? ''
  const platform = (textOf(fields['app_os']) ?? os ?? '').toLowerCase()
  return {
    id,
    filename: basename(file.path),
    uploadedAt: timeOf(fields['uploaded_at']),
    locate: () => locate(file, fields, agents),
    group: '',
    variant: '',
    isEnabled: fields['enabled'] !== false,
    title: version,
    build: {
      version,
      buildNumber: idOf(fields['version']),
      notes: textOf(fields['release_notes']),
      platform: platforms[platform] ?? null,
      stream: null,
      labels: [],
      branch: textOf(build['branch_name']),
      commit: textOf(build['commit_hash']),
      runUrl: null,
    },
  }
}

/**
 * Returns the file of a release: the one that is named like its JSON file, or for its ID, or that is alone in the folder
 * of its JSON file or of its ID.
 */
function findFile(
  { id, fields, own }: SavedRelease,
  releases: SavedRelease[],
  files: SavedFile[],
): SavedFile | undefined {
  const sizeBytes = sizeOf(fields['size'])
  const candidates = files.filter((file) => sizeBytes === undefined || file.sizeBytes === sizeBytes)
  const isNamed = ({ path }: SavedFile) =>
    stemOf(path) === id ||
    own.some((json) => dirname(json) === dirname(path) && stemOf(json) === stemOf(path))
  const named = candidates.find(isNamed)
  if (named !== undefined) return named
  const others = new Set(
    releases.filter((each) => each.id !== id).flatMap((each) => each.own.map((path) => dirname(path))),
  )
  const folders = new Set(own.map((path) => dirname(path)).filter((folder) => !others.has(folder)))
  const alone = candidates.filter(({ path }) => basename(dirname(path)) === id || folders.has(dirname(path)))
  return alone.length === 1 ? alone[0] : undefined
}

const stemOf = (path: string): string => basename(path).replace(/(?:\.tar)?\.[^.]+$/, '')

async function locate({ path, sizeBytes }: SavedFile, fields: Fields, agents: Agents): Promise<SourceFile> {
  const md5 = md5Of(fields['fingerprint'])
  const checksum = md5 === null ? undefined : { algorithm: 'md5' as const, hex: md5 }
  if (md5 !== null && (await fileChecksum(path, 'md5', agents)) !== md5)
    throw new Failure('failed', `${path} does not match its fingerprint. It is damaged or is another file.`)
  return { filename: basename(path), sizeBytes, checksum, path }
}
