import { answerRepository, type RepositorySource, type RepositoryUrls } from '../git/repository.ts'
import type { Adapter, Entry, Feed, PublishedFile } from './adapter.ts'
import { missingDescription, pick, readDescription, textIn, type JsonObject } from './companion-json.ts'
import { isProgram, listVerifiable, pathOf, runsOn, type Processor } from './published-files.ts'

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

/** A bucket as a Git repository over plain HTTP, with one manifest. */
export const scoop: Adapter = {
  name: 'Scoop',
  rollout: 'complete_only',
  system: 'windows',
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
      .map((file) =>
        missingDescription(file, description, 'the programs to start, such as {"bin": "harbor.exe"}.'),
      )
  },
  answer: (request, feed) => answerRepository(request, feed, bucket),
}

const bucket: RepositorySource = {
  format: 'scoop',
  name: 'bucket.git',
  folder: 'bucket',
  ending: '.json',
  latest: 'manifest.json',
  contentType: 'application/json; charset=utf-8',
  render: renderManifest,
  writeUrl: (url) => JSON.stringify(url).slice(1, -1),
}

const listFiles = (entry: Entry): PublishedFile[] => listVerifiable(entry, endings, 'windows')

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

async function renderManifest(entry: Entry, feed: Feed, urls: RepositoryUrls): Promise<string | undefined> {
  const files = await listDescribed(entry, feed)
  const [main] = files
  if (main === undefined) return undefined
  const perProcessor = Object.entries(architectures).flatMap(([name, processor]) => {
    const found = files.find(({ file }) => runsOn(processor, file))
    return found === undefined ? [] : [[name, sourceOf(entry, found, urls)] as const]
  })
  const isSame = perProcessor.length === 3 && new Set(perProcessor.map(([, { hash }]) => hash)).size === 1
  const { described } = main
  return `${JSON.stringify(
    {
      version: entry.version,
      description: textIn(described, 'description') ?? feed.applicationName,
      homepage: textIn(described, 'homepage') ?? urls.channelUrl,
      license: described['license'] ?? 'Unknown',
      ...(isSame ? sourceOf(entry, main, urls) : { architecture: Object.fromEntries(perProcessor) }),
      ...pick(described, ofVersion),
    },
    undefined,
    4,
  )}\n`
}

const sourceOf = (entry: Entry, { file, described }: Described, { base }: RepositoryUrls) => ({
  url: `${base}/${pathOf(entry, file)}`,
  hash: file.sha256,
  ...pick(described, ofArchitecture),
})
