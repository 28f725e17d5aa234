import { renderUserMarkdown } from '../../../http/pages/user-markdown.ts'
import type { Entry, Feed, PublishedFile } from './adapter.ts'
import { escapeXml, feedDate } from './text.ts'

/** Clients read every item, so that a feed of thousands of versions would be slow for each of them. */
export const maxItems = 100

export type Enclosure = {
  url: string
  sizeBytes: number
  signature: string
  attributes?: Readonly<Record<string, string>>
}

export type Item = {
  entry: Entry
  /** The version that the client compares. */
  version: string
  link: string
  enclosures: readonly Enclosure[]
  deltas?: readonly (Enclosure & { from: string })[]
  elements: readonly string[]
}

/** Renders an XML element with escaped text. Returns an empty list if the text is missing or empty. */
export const element = (name: string, text: string | null | undefined): string[] =>
  text === null || text === undefined || text === '' ? [] : [`<${name}>${escapeXml(text)}</${name}>`]

function enclosureOf({ url, sizeBytes, signature, attributes = {} }: Enclosure): string {
  const all = {
    url,
    length: String(sizeBytes),
    type: 'application/octet-stream',
    'sparkle:edSignature': signature,
    ...attributes,
  }
  return `<enclosure ${Object.entries(all)
    .map(([name, value]) => `${name}="${escapeXml(value)}"`)
    .join(' ')}/>`
}

function renderItem({ entry, version, link, enclosures, deltas = [], elements }: Item): string {
  const notes = entry.notes === null ? undefined : renderUserMarkdown(entry.notes).toString()
  return [
    '<item>',
    ...element('title', entry.title),
    ...element('link', link),
    ...element('sparkle:version', version),
    ...element('sparkle:shortVersionString', entry.version),
    ...element('pubDate', feedDate(entry.publishedAt)),
    ...element('description', notes),
    ...(entry.rollout.isCritical ? ['<sparkle:criticalUpdate/>'] : []),
    ...elements,
    ...enclosures.map(enclosureOf),
    ...(deltas.length === 0
      ? []
      : [
          '<sparkle:deltas>',
          ...deltas.map(({ from, ...delta }) =>
            enclosureOf({ ...delta, attributes: { ...delta.attributes, 'sparkle:deltaFrom': from } }),
          ),
          '</sparkle:deltas>',
        ]),
    '</item>',
  ].join('\n')
}

/** Renders the feed that Sparkle and WinSparkle read. */
export const renderAppcast = (feed: Feed, items: readonly Item[]) => ({
  contentType: 'application/rss+xml; charset=utf-8',
  body: [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<rss version="2.0" xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle">',
    '<channel>',
    ...element('title', feed.applicationName),
    ...items.map(renderItem),
    '</channel>',
    '</rss>',
    '',
  ].join('\n'),
})

/** What the feed of the uploader says about a file. */
export type UploadedEnclosure = {
  filename: string
  signature: string
  version: string | undefined
  deltaFrom: string | undefined
  attributes: ReadonlyMap<string, string>
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const unescapeXml = (text: string): string =>
  text.replaceAll(/&(lt|gt|amp|quot|apos);/g, (_match, name: string) => entities[name] ?? '')

function attributesOf(tag: string): Map<string, string> {
  // A match starts only at the beginning of a name, so that a long name is read once and not once per character.
  const found = tag.matchAll(/(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)
  return new Map(
    [...found].map(([, name = '', double, single]) => [name, unescapeXml(double ?? single ?? '')]),
  )
}

const nameInUrl = (url: string): string => {
  const segment = url.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Returns the enclosures of a feed that `generate_appcast` has written. */
export function readEnclosures(xml: string): UploadedEnclosure[] {
  return xml.split(/<item[\s>]/).flatMap((item) => {
    const [, itemVersion] = /<sparkle:version>([^<]*)<\/sparkle:version>/.exec(item) ?? []
    return [...item.matchAll(/<enclosure\s([^<>]*)>/g)].flatMap(([, tag = '']) => {
      const attributes = attributesOf(tag)
      const signature = attributes.get('sparkle:edSignature')
      if (signature === undefined) return []
      return {
        filename: nameInUrl(attributes.get('url') ?? ''),
        signature,
        version: attributes.get('sparkle:version') ?? itemVersion?.trim(),
        deltaFrom: attributes.get('sparkle:deltaFrom'),
        attributes,
      }
    })
  })
}

/** Returns the feeds that were uploaded with a version. */
export async function readAppcasts(
  entry: Entry,
  feed: Pick<Feed, 'read'>,
): Promise<{ file: PublishedFile; xml: Buffer }[]> {
  const found: { file: PublishedFile; xml: Buffer }[] = []
  for (const file of entry.files) {
    if (file.kind === 'file' || !file.filename.toLowerCase().endsWith('.xml')) continue
    const xml = await feed.read(file)
    if (xml?.includes('xml-namespaces/sparkle') === true) found.push({ file, xml })
  }
  return found
}

/** Returns the Ed25519 signature in the output of `sign_update`, with or without its attributes. */
export function signatureIn(text: string | undefined): string | undefined {
  const [, inAttribute] = /sparkle:edSignature="([^"]*)"/.exec(text ?? '') ?? []
  const signature = (inAttribute ?? text ?? '').trim()
  return /^[A-Za-z0-9+/]{86}==$/.test(signature) ? signature : undefined
}
