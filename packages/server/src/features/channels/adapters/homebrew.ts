import { answerRepository, type RepositorySource, type RepositoryUrls } from '../git/repository.ts'
import type { Adapter, Entry, Feed, PublishedFile } from './adapter.ts'
import {
  missingDescription,
  readDescription,
  textIn,
  textsIn,
  tokenOf,
  type JsonObject,
} from './companion-json.ts'
import { listVerifiable, pathOf, runsOn } from './published-files.ts'
import { shortText } from './text.ts'

const endings = ['.dmg', '.pkg', '.zip'] as const
const description = '.cask.json'

type Cask = { file: PublishedFile; described: JsonObject; artifacts: string[] }

/** A tap as a Git repository over plain HTTP, with one cask. */
export const homebrew: Adapter = {
  name: 'Homebrew',
  rollout: 'complete_only',
  system: 'macos',
  paths: ['tap.git'],
  // Homebrew installs from a tap that it does not trust only by the complete name.
  setUp: ({ base, token }) => [
    {
      title: 'Add the tap and install',
      code: `brew tap ${token}/tap ${base}/tap.git\nbrew install --cask ${token}/tap/${token}`,
    },
  ],
  async listMissing(entry, feed) {
    const files = listFiles(entry)
    if (files.length === 0) return [{ message: 'Upload a build for macOS as .dmg, .pkg or .zip.' }]
    const casks = await Promise.all(files.map(async (file) => readCask(entry, file, feed)))
    return files
      .filter((_file, index) => casks[index] === undefined)
      .map((file) =>
        missingDescription(
          file,
          description,
          `what to install, such as {"app": "Harbor.app"}: the name of the application in ${file.filename} is unknown.`,
        ),
      )
  },
  answer: (request, feed) => answerRepository(request, feed, tap),
}

const tap: RepositorySource = {
  format: 'homebrew',
  name: 'tap.git',
  folder: 'Casks',
  ending: '.rb',
  latest: 'cask.rb',
  contentType: 'text/x-ruby; charset=utf-8',
  render: renderCask,
  writeUrl: (url) => rubyText(url).slice(1, -1),
}

const listFiles = (entry: Entry): PublishedFile[] => listVerifiable(entry, endings, 'macos')

async function readCask(
  entry: Entry,
  file: PublishedFile,
  feed: Pick<Feed, 'read'>,
): Promise<Cask | undefined> {
  const described = await readDescription(entry, file, description, feed)
  const artifacts = artifactsOf(file, described)
  return artifacts.length === 0 ? undefined : { file, described, artifacts }
}

function artifactsOf(file: PublishedFile, described: JsonObject): string[] {
  const stated = [
    ...textsIn(described, 'app').map((name) => `app ${rubyText(name)}`),
    ...textsIn(described, 'binary').map((name) => `binary ${rubyText(name)}`),
  ]
  if (stated.length > 0) return stated
  // The package describes the primary file.
  const read = file === file.build.files[0] ? file.build.package : null
  if (/\.pkg$/i.test(file.filename))
    return [`pkg ${rubyText(file.filename)}`, ...uninstallOf(read?.dependencies ?? [], described)]
  return read?.name && (read.format === 'dmg' || read.format === 'app')
    ? [`app ${rubyText(`${read.name}.app`)}`]
    : []
}

function uninstallOf(components: readonly string[], described: JsonObject): string[] {
  const stated = textsIn(described, 'pkgutil')
  const ids = stated.length > 0 ? stated : components.map((each) => each.split(' ')[0] ?? '').filter(Boolean)
  return ids.length === 0 ? [] : [`uninstall pkgutil: [${ids.map(rubyText).join(', ')}]`]
}

/** Returns the cask of a version, with a block for each processor if their files differ. */
async function renderCask(entry: Entry, feed: Feed, urls: RepositoryUrls): Promise<string | undefined> {
  const { applicationName } = feed
  const casks: Cask[] = []
  for (const file of listFiles(entry)) {
    const cask = await readCask(entry, file, feed)
    if (cask !== undefined) casks.push(cask)
  }
  const arm = casks.find(({ file }) => runsOn('arm64', file))
  const intel = casks.find(({ file }) => runsOn('x64', file))
  const main = arm ?? intel
  if (main === undefined) return undefined
  const bodies =
    arm === intel
      ? sourceOf(entry, main, urls)
      : [
          ...blockOf('on_arm', arm && sourceOf(entry, arm, urls)),
          ...blockOf('on_intel', intel && sourceOf(entry, intel, urls)),
          ...(arm === undefined || intel === undefined
            ? [`depends_on arch: ${arm === undefined ? ':x86_64' : ':arm64'}`]
            : []),
        ]
  const { described } = main
  const lines = [
    `version ${rubyText(entry.version)}`,
    ...bodies,
    `name ${rubyText(textIn(described, 'name') ?? shortText(applicationName))}`,
    `desc ${rubyText(textIn(described, 'desc') ?? shortText(applicationName))}`,
    `homepage ${rubyText(textIn(described, 'homepage') ?? urls.channelUrl)}`,
    ...(described['auto_updates'] === true ? ['auto_updates true'] : []),
    ...minimumOf(entry),
  ]
  return `cask ${rubyText(tokenOf(applicationName))} do\n${indent(lines)}end\n`
}

const sourceOf = (entry: Entry, { file, artifacts }: Cask, { base }: RepositoryUrls): string[] => [
  `sha256 ${rubyText(file.sha256 ?? '')}`,
  `url ${rubyText(`${base}/${pathOf(entry, file)}`)}`,
  ...artifacts,
]

const blockOf = (name: string, lines: string[] | undefined): string[] =>
  lines === undefined ? [] : [`${name} do`, ...lines.map((line) => `  ${line}`), 'end']

const indent = (lines: readonly string[]): string => lines.map((line) => `  ${line}\n`).join('')

const names: Readonly<Record<string, string>> = {
  '11': 'big_sur',
  '12': 'monterey',
  '13': 'ventura',
  '14': 'sonoma',
  '15': 'sequoia',
  '26': 'tahoe',
}

/** Homebrew knows versions of macOS by their names. */
function minimumOf({ rollout: { minimumOs } }: Entry): string[] {
  const name = names[minimumOs['macos']?.split('.')[0] ?? '']
  return name === undefined ? [] : [`depends_on macos: ">= :${name}"`]
}

/** Returns a string literal of Ruby. Characters that could have a meaning in one are written as their numbers. */
const rubyText = (text: string): string =>
  `"${text
    .toWellFormed()
    .replaceAll(
      /[^\p{L}\p{N} _.,:;/()@+\-=&%?~!*<>]/gu,
      (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
    )}"`
