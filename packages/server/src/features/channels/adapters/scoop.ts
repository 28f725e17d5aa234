import { answerGit } from '../git/repository.ts'
import type { Adapter, Entry, Feed, Missing, PublishedFile } from './adapter.ts'
import { pick, readDescription, textIn, tokenOf, type JsonObject } from './companion-json.ts'
import { isFor, pathOf, runsOn, withEnding, type Processor } from './published-files.ts'

const endings = ['.zip', '.7z', '.msi', '.exe'] as const
const description = '.scoop.json'
const architectures: Readonly<Record<string, Processor>> = { '64bit': 'x64', '32bit': 'x86', arm64: 'arm64' }

/** What the uploader may state for each architecture. */
const ofArchitecture = [
  'bin',
  'extract_dir',
  'installer',
  'post_install',
  'pre_install',
  'shortcuts',
  'uninstaller',
]
/** What the uploader may state for a version. */
const ofVersion = [
  'depends',
  'env_add_path',
  'env_set',
  'innosetup',
  'notes',
  'persist',
  'psmodule',
  'suggest',
]

type Described = { file: PublishedFile; described: JsonObject }
type Url = { base: string; channelUrl: string; applicationName: string }

/** A bucket as a Git repository over plain HTTP, with one manifest. */
export const scoop: Adapter = {
  name: 'Scoop',
  rollout: 'complete_only',
  paths: ['bucket.git', 'manifest.json'],
  setUp: ({ base, token }) => [
    {
      title: 'Add the bucket and install',
      code: `scoop bucket add ${token} ${base}/bucket.git\nscoop install ${token}/${token}`,
    },
  ],
  async listMissing(entry, feed) {
    const files = listFiles(entry)
    if (files.length === 0) return [{ message: 'Upload a build for Windows as .zip, .7z, .msi or .exe.' }]
    const described = await listDescribed(entry, feed)
    return files
      .filter((file) => !described.some((each) => each.file === file))
      .map(({ filename, build }): Missing => ({
        message: `Add ${filename}${description} with the programs to start, such as {"bin": "harbor.exe"}.`,
        build_id: build.id,
        filename: `${filename}${description}`,
      }))
  },
  async answer({ path: [name, ...rest], base }, feed) {
    const url = { base, channelUrl: feed.channelUrl, applicationName: feed.applicationName }
    const token = tokenOf(feed.applicationName)
    if (name === 'bucket.git')
      return answerGit(rest, feed, {
        format: 'scoop',
        async filesOf(entry, channelUrl) {
          const manifest = await renderManifest(entry, feed, {
            ...url,
            channelUrl,
            base: `${channelUrl}/scoop`,
          })
          return manifest === undefined ? undefined : { [`bucket/${token}.json`]: manifest }
        },
        writeUrl: (text) => JSON.stringify(text).slice(1, -1),
      })
    if (rest.length > 0 || (name !== 'manifest.json' && name !== `${token}.json`)) return undefined
    for (const entry of feed.offers()) {
      const body = await renderManifest(entry, feed, url)
      if (body !== undefined) return { contentType: 'application/json; charset=utf-8', body }
    }
    return undefined
  },
}

const listFiles = (entry: Entry): PublishedFile[] =>
  withEnding(entry, endings).filter(
    (file) => file.kind === 'file' && file.sha256 !== null && isFor('windows', file),
  )

/** A program that needs no installation is started by its own name. */
const isProgram = ({ filename }: PublishedFile): boolean =>
  /\.exe$/i.test(filename) && !/setup|install/i.test(filename)

async function listDescribed(entry: Entry, feed: Pick<Feed, 'read'>): Promise<Described[]> {
  const found: Described[] = []
  for (const file of listFiles(entry)) {
    const stated = await readDescription(entry, file, description, feed)
    const described = isProgram(file) ? { bin: file.filename, ...stated } : stated
    if (['bin', 'shortcuts', 'installer'].some((name) => Object.hasOwn(described, name)))
      found.push({ file, described })
  }
  return found
}

async function renderManifest(entry: Entry, feed: Feed, url: Url): Promise<string | undefined> {
  const files = await listDescribed(entry, feed)
  const [main] = files
  if (main === undefined) return undefined
  const perProcessor = Object.entries(architectures).flatMap(([name, processor]) => {
    const found = files.find(({ file }) => runsOn(processor, file))
    return found === undefined ? [] : [[name, sourceOf(entry, found, url)] as const]
  })
  const isSame = perProcessor.length === 3 && new Set(perProcessor.map(([, { hash }]) => hash)).size === 1
  const { described } = main
  return `${JSON.stringify(
    {
      version: entry.version,
      description: textIn(described, 'description') ?? url.applicationName,
      homepage: textIn(described, 'homepage') ?? url.channelUrl,
      license: described['license'] ?? 'Unknown',
      ...(isSame ? sourceOf(entry, main, url) : { architecture: Object.fromEntries(perProcessor) }),
      ...pick(described, ofVersion),
    },
    undefined,
    4,
  )}\n`
}

const sourceOf = (entry: Entry, { file, described }: Described, { base }: Url) => ({
  url: `${base}/${pathOf(entry, file)}`,
  hash: file.sha256,
  ...pick(described, ofArchitecture),
})
