import { hash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { PackageField } from '../../../inspection/inspection.ts'
import type { Adapter, Feed, IndexDocument, IndexSigner } from './adapter.ts'
import {
  findInPool,
  listDistinct,
  listMissingPackages,
  poolPath,
  type Package,
  type PackageKind,
} from './packages.ts'

const suite = 'stable'
const component = 'main'
const plainText = 'text/plain; charset=utf-8'

/** Architectures that have an index although no package is for them, because apt fails without it. */
const commonArchitectures = ['amd64', 'arm64']

const namePattern = /^[a-z0-9][a-z0-9+.-]{1,199}$/
const versionPattern = /^(?:\d{1,9}:)?[0-9A-Za-z.+~-]{1,200}$/
const architecturePattern = /^[a-z0-9][a-z0-9-]{0,39}$/
/** The service writes these fields itself. Fields of other repositories do not apply to this one. */
const replacedFields = new Set(
  'package filename size md5sum sha1 sha256 sha512 description-md5 status phased-update-percentage'.split(
    ' ',
  ),
)

/** The format of apt, which Debian and Ubuntu use (https://wiki.debian.org/DebianRepository/Format). */
export const apt: Adapter = {
  name: 'apt',
  rollout: 'complete_only',
  system: 'linux',
  paths: [`dists/${suite}/InRelease`, 'key.asc'],
  listMissing: (entry, feed) => listMissingPackages(entry, feed, deb),
  setUp: ({ channelId, base }) => [
    {
      title: 'Add the repository',
      code: [
        `curl -fsSL ${base}/key.asc | sudo tee /etc/apt/keyrings/${channelId}.asc > /dev/null`,
        `echo "deb [signed-by=/etc/apt/keyrings/${channelId}.asc] ${base} ${suite} ${component}" | sudo tee /etc/apt/sources.list.d/${channelId}.list`,
        'sudo apt update',
      ].join('\n'),
    },
  ],
  index: {
    signedBy: 'openpgp',
    async listDocuments(feed) {
      const stanzas = await listDistinct(feed.offers(), feed, deb)
      const architectures = new Set([
        ...commonArchitectures,
        ...stanzas.map(({ architecture }) => architecture),
      ])
      architectures.delete('all')
      return [...architectures].toSorted().map((architecture) => {
        const own = stanzas.filter((each) => [architecture, 'all'].includes(each.architecture))
        return indexDocument(architecture, own.map(({ text }) => text).join('\n'))
      })
    },
    async sign(documents, signer, feed) {
      const release = Buffer.from(releaseOf(documents, signer, feed))
      const { armored } = await signer.detached(release)
      const inRelease = await signer.cleartext(release.toString())
      const folder = `dists/${suite}`
      return [
        { paths: [`${folder}/Release`], contentType: plainText, body: release },
        { paths: [`${folder}/Release.gpg`], contentType: plainText, body: Buffer.from(armored) },
        { paths: [`${folder}/InRelease`], contentType: plainText, body: Buffer.from(inRelease) },
      ]
    },
  },
  answer: ({ path }, feed) => {
    const file = findInPool(path, feed)
    return file && { file }
  },
}

type Stanza = { architecture: string; text: string }

const deb: PackageKind<Stanza> = {
  endings: ['.deb'],
  platform: 'Linux',
  name: 'a Debian package',
  part: 'control file',
  fields: 'Package, Version or Architecture',
  isInspected: ({ debControl }) => debControl !== null,
  read: readStanza,
}

/** Returns the stanza of a package; undefined if its control file or its checksum is not known or valid. */
function readStanza({ file, details }: Package): (Stanza & { key: string }) | undefined {
  const { sha256, sizeBytes } = file
  if (details.debControl === null || sha256 === null) return undefined
  const fields = new Map<string, PackageField>()
  for (const field of details.debControl) {
    const key = field.name.toLowerCase()
    if (/^[!-"$-,.-9;-~][!-9;-~]*$/.test(field.name) && !fields.has(key)) fields.set(key, field)
  }
  const valueOf = (name: string) => fields.get(name)?.value.trim() ?? ''
  const [name, version, architecture] = [valueOf('package'), valueOf('version'), valueOf('architecture')]
  if (!namePattern.test(name) || !versionPattern.test(version) || !architecturePattern.test(architecture))
    return undefined
  const filename = `${name}_${version.replace(/^\d+:/, '')}_${architecture}.deb`
  const lines = [
    `Package: ${name}`,
    ...[...fields].filter(([key]) => !replacedFields.has(key)).map(([, field]) => fieldText(field)),
    `Filename: ${poolPath(sha256, filename)}`,
    `Size: ${sizeBytes}`,
    `SHA256: ${sha256}`,
    '',
  ]
  return { key: `${name} ${version} ${architecture}`, architecture, text: lines.join('\n') }
}

/** Returns a field whose value cannot begin another field or stanza. */
function fieldText({ name, value }: PackageField): string {
  const [first = '', ...rest] = value
    .toWellFormed()
    .split('\n')
    .map((line) => line.replaceAll(/[^\P{Cc}\t]/gu, '').trimEnd())
  const continued = rest.map((line) => (line.trim() === '' ? ' .' : ` ${line.replace(/^[ \t]/, '')}`))
  return [`${name}: ${first.trimStart()}`, ...continued].join('\n')
}

/** Returns the index of an architecture, at its name and at the name of its checksum. */
function indexDocument(architecture: string, text: string): IndexDocument {
  const folder = `dists/${suite}/${component}/binary-${architecture}`
  const body = gzipSync(text, { level: 9 })
  return {
    paths: [`${folder}/Packages.gz`, `${folder}/by-hash/SHA256/${hash('sha256', body)}`],
    contentType: 'application/gzip',
    body,
  }
}

/**
 * Returns the Release file. apt refuses a repository whose Origin, Label, Suite or Codename has changed, so they do not
 * contain the name of the application.
 */
function releaseOf(
  documents: readonly IndexDocument[],
  { date, validUntil }: Pick<IndexSigner, 'date' | 'validUntil'>,
  { channelId }: Feed,
): string {
  // apt also compares the text that it has decompressed.
  const files = documents.flatMap(({ paths: [path = ''], body }) => {
    const name = path.slice(`dists/${suite}/`.length)
    return [
      { name, bytes: body },
      { name: name.replace(/\.gz$/, ''), bytes: gunzipSync(body) },
    ]
  })
  const architectures = new Set(files.map(({ name }) => /\/binary-([^/]+)\//.exec(name)?.[1] ?? ''))
  return [
    'Origin: Quayside',
    `Label: ${channelId}`,
    `Suite: ${suite}`,
    `Codename: ${suite}`,
    `Date: ${date.toUTCString()}`,
    `Valid-Until: ${validUntil.toUTCString()}`,
    'Acquire-By-Hash: yes',
    `Architectures: ${[...architectures].join(' ')}`,
    `Components: ${component}`,
    'SHA256:',
    ...files.map(({ name, bytes }) => ` ${hash('sha256', bytes)} ${bytes.length} ${name}`),
    '',
  ].join('\n')
}
