import type { Adapter, Entry, Feed, FeedRequest, Missing, PublishedFile } from './adapter.ts'
import {
  element,
  maxItems,
  readAppcasts,
  readEnclosures,
  renderAppcast,
  signatureIn,
  type Item,
  type UploadedEnclosure,
} from './appcast.ts'
import { findNamed, isFor, pathOf, processorsOf, readCompanion, withEnding } from './published-files.ts'

const endings = ['.zip', '.dmg', '.tar.gz', '.tar.xz', '.tar.bz2', '.pkg', '.aar']
/** The service splits a rollout over time into as many groups as Sparkle does. */
const phases = 7

type Archive = { file: PublishedFile; signature: string | undefined; uploaded: UploadedEnclosure | undefined }

async function listArchives(entry: Entry, feed: Pick<Feed, 'read'>) {
  const feeds = await readAppcasts(entry, feed)
  const uploaded = feeds.flatMap(({ xml }) => readEnclosures(xml.toString('utf8')))
  const archives: Archive[] = []
  for (const file of withEnding(entry, endings)) {
    if (file.kind !== 'file' || !isFor('macos', file)) continue
    const described = uploaded.find(
      ({ filename, deltaFrom }) => filename === file.filename && deltaFrom === undefined,
    )
    const signature = described?.signature ?? signatureIn(await readCompanion(entry, file, '.sig', feed))
    archives.push({ file, signature, uploaded: described })
  }
  return { archives, uploaded }
}

/** Serves the generated feed or, unchanged, one that the uploader has signed as a whole. */
export const sparkle: Adapter = {
  name: 'Sparkle',
  rollout: 'complete_only',
  system: 'macos',
  paths: ['appcast.xml'],
  async listMissing(entry, feed) {
    const { archives } = await listArchives(entry, feed)
    if (archives.length === 0)
      return [
        { message: 'Upload a build for macOS as .zip, .dmg, .tar.gz, .tar.xz, .tar.bz2, .pkg or .aar.' },
      ]
    if (archives.some(({ signature }) => signature !== undefined)) return []
    return archives.map(({ file }): Missing => ({
      message: `Add the output of \`sign_update -p ${file.filename}\` as ${file.filename}.sig, or the feed that \`generate_appcast\` has written.`,
      build_id: file.build.id,
      filename: `${file.filename}.sig`,
    }))
  },
  async answer({ path, base }: FeedRequest, feed: Feed) {
    if (path.length !== 1 || path[0] !== 'appcast.xml') return undefined
    const offered = feed.published.filter(
      (entry) => entry.rollout.completeAtMs !== null || feed.percentage(entry) >= 100,
    )
    const [newest] = offered
    if (newest !== undefined) {
      const signed = (await readAppcasts(newest, feed)).find(({ xml }) =>
        xml.includes('<!-- sparkle-signatures:'),
      )
      if (signed !== undefined) return { contentType: 'application/rss+xml; charset=utf-8', body: signed.xml }
    }
    const required = offered.filter(({ rollout }) => rollout.isRequired)
    const listed = new Set([...offered.slice(0, maxItems), ...required])
    const items: Item[] = []
    for (const entry of offered.filter((each) => listed.has(each))) {
      const item = await itemOf(entry, { base, feed, required })
      if (item !== undefined) items.push(item)
    }
    return renderAppcast(feed, items)
  },
}

async function itemOf(
  entry: Entry,
  { base, feed, required }: { base: string; feed: Feed; required: readonly Entry[] },
): Promise<Item | undefined> {
  const { archives, uploaded } = await listArchives(entry, feed)
  // An item has one archive. A universal one is preferred, because the others exclude Macs.
  const usable = archives.filter(({ signature }) => signature !== undefined)
  const chosen = usable.find(({ file }) => processorsOf(file).includes('x64')) ?? usable[0]
  if (chosen?.signature === undefined) return undefined
  const { file, signature } = chosen
  const version = chosen.uploaded?.version ?? file.build.buildNumber ?? entry.version
  const before = required.find(({ sortKey }) => sortKey < entry.sortKey)
  const beforeVersion = before && (await versionOf(before, feed))
  const type = file.filename.endsWith('.pkg') ? { 'sparkle:installationType': 'package' } : undefined
  const isArmOnly = file.build.architectures.length > 0 && !processorsOf(file).includes('x64')
  const { completeAtMs, changedAtMs, isCritical } = entry.rollout
  const interval =
    completeAtMs === null || isCritical ? undefined : Math.round((completeAtMs - changedAtMs) / 1000 / phases)
  return {
    entry: interval === undefined ? entry : { ...entry, publishedAt: new Date(changedAtMs) },
    version,
    link: feed.channelUrl,
    enclosures: [
      {
        url: `${base}/${pathOf(entry, file)}`,
        sizeBytes: file.sizeBytes,
        signature,
        attributes: { ...type, ...installationTypeOf(chosen.uploaded) },
      },
    ],
    deltas: uploaded.flatMap(({ filename, deltaFrom, signature: signed }) => {
      const delta = deltaFrom === undefined ? undefined : findNamed(entry, filename)
      return delta === undefined || deltaFrom === undefined
        ? []
        : {
            from: deltaFrom,
            url: `${base}/${pathOf(entry, delta)}`,
            sizeBytes: delta.sizeBytes,
            signature: signed,
          }
    }),
    elements: [
      ...element(
        'sparkle:minimumSystemVersion',
        threeParts(entry.rollout.minimumOs['macos'] ?? file.build.minimumOs),
      ),
      ...element('sparkle:hardwareRequirements', isArmOnly ? 'arm64' : undefined),
      ...element('sparkle:minimumUpdateVersion', beforeVersion),
      ...element('sparkle:phasedRolloutInterval', interval?.toString()),
    ],
  }
}

async function versionOf(entry: Entry, feed: Feed): Promise<string> {
  const { archives } = await listArchives(entry, feed)
  const [archive] = archives
  return archive?.uploaded?.version ?? archive?.file.build.buildNumber ?? entry.version
}

function installationTypeOf(uploaded: UploadedEnclosure | undefined): Record<string, string> {
  const type = uploaded?.attributes.get('sparkle:installationType')
  return type === undefined ? {} : { 'sparkle:installationType': type }
}

/** Sparkle compares a minimum with three parts. */
const threeParts = (version: string | null): string | undefined =>
  version !== null && /^\d+(\.\d+){0,2}$/.test(version)
    ? [...version.split('.'), '0', '0'].slice(0, 3).join('.')
    : undefined
