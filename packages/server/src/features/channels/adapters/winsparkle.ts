import type { Adapter, Entry, Feed, Missing, PublishedFile } from './adapter.ts'
import {
  element,
  maxItems,
  readAppcasts,
  readEnclosures,
  renderAppcast,
  signatureIn,
  type Enclosure,
  type Item,
} from './appcast.ts'
import { isFor, pathOf, readCompanion, runsOn, withEnding } from './published-files.ts'

const endings = ['.exe', '.msi', '.zip']

async function listInstallers(entry: Entry, feed: Pick<Feed, 'read'>) {
  const feeds = await readAppcasts(entry, feed)
  const uploaded = feeds.flatMap(({ xml }) => readEnclosures(xml.toString('utf8')))
  const found: {
    file: PublishedFile
    signature: string | undefined
    installerArguments: string | undefined
  }[] = []
  for (const file of withEnding(entry, endings)) {
    if (file.kind !== 'file' || !isFor('windows', file)) continue
    const described = uploaded.find(({ filename }) => filename === file.filename)
    found.push({
      file,
      signature: described?.signature ?? signatureIn(await readCompanion(entry, file, '.sig', feed)),
      installerArguments: described?.attributes.get('sparkle:installerArguments'),
    })
  }
  return found
}

/** WinSparkle knows neither channels nor phases, so the feed has only what every client may install. */
export const winsparkle: Adapter = {
  name: 'WinSparkle',
  rollout: 'complete_only',
  system: 'windows',
  paths: ['appcast.xml'],
  async listMissing(entry, feed) {
    const installers = await listInstallers(entry, feed)
    if (installers.length === 0) return [{ message: 'Upload a build for Windows as .exe, .msi or .zip.' }]
    if (installers.some(({ signature }) => signature !== undefined)) return []
    return installers.map(({ file }): Missing => ({
      message: `Add the Ed25519 signature of ${file.filename} as ${file.filename}.sig, as \`winsparkle-tool sign\` prints it.`,
      build_id: file.build.id,
      filename: `${file.filename}.sig`,
    }))
  },
  async answer({ path, base }, feed) {
    if (path.length !== 1 || path[0] !== 'appcast.xml') return undefined
    const items: Item[] = []
    for (const entry of feed.offers().slice(0, maxItems)) {
      const installers = await listInstallers(entry, feed)
      const enclosures = installers.flatMap(({ file, signature, installerArguments }): Enclosure[] =>
        signature === undefined
          ? []
          : systemsOf(file).map((system) => ({
              url: `${base}/${pathOf(entry, file)}`,
              sizeBytes: file.sizeBytes,
              signature,
              attributes: {
                'sparkle:os': system,
                ...(installerArguments && { 'sparkle:installerArguments': installerArguments }),
              },
            })),
      )
      if (enclosures.length > 0)
        items.push({
          entry,
          version: entry.version,
          link: feed.channelUrl,
          enclosures,
          elements: element('sparkle:minimumSystemVersion', entry.rollout.minimumOs['windows']),
        })
    }
    return renderAppcast(feed, items)
  },
}

/** Returns the values of `sparkle:os` for a file; `windows` if it runs on every processor. */
function systemsOf(file: PublishedFile): string[] {
  const processors = (['x64', 'x86', 'arm64'] as const).filter((processor) => runsOn(processor, file))
  return processors.length === 3 ? ['windows'] : processors.map((processor) => `windows-${processor}`)
}
