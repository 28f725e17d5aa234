import { hash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { RpmHeader } from '../../../inspection/inspection.ts'
import { rpmRelationNames } from '../../../inspection/metadata-limits.ts'
import type { Adapter, Feed, IndexDocument, IndexSigner } from './adapter.ts'
import {
  findInPool,
  listDistinct,
  listMissingPackages,
  poolPath,
  type Package,
  type PackageKind,
} from './packages.ts'
import { escapeXml } from './text.ts'

const xml = 'application/xml'
const namePattern = /^[A-Za-z0-9_][A-Za-z0-9._+-]{0,199}$/
const versionPattern = /^[A-Za-z0-9._+~^]{1,200}$/
const architecturePattern = /^[a-z0-9_]{1,40}$/

/** The repository metadata of dnf, yum and zypper, as createrepo_c writes it. */
export const rpm: Adapter = {
  name: 'dnf and zypper',
  rollout: 'complete_only',
  system: 'linux',
  paths: ['repodata/repomd.xml', 'key.asc'],
  listMissing: (entry, feed) => listMissingPackages(entry, feed, rpmPackage),
  setUp: ({ channelId, base }) => [
    {
      title: 'Add the repository with dnf',
      code: `sudo curl -fsSL -o /etc/yum.repos.d/${channelId}.repo ${base}/${channelId}.repo`,
    },
    {
      title: 'Add the repository with zypper',
      code: `sudo zypper addrepo --refresh ${base}/${channelId}.repo`,
    },
  ],
  index: {
    signedBy: 'openpgp',
    async listDocuments(feed) {
      const packages = await listDistinct(feed.offers(), feed, rpmPackage)
      const text = `<?xml version="1.0" encoding="UTF-8"?>
<metadata xmlns="http://linux.duke.edu/metadata/common" xmlns:rpm="http://linux.duke.edu/metadata/rpm" packages="${packages.length}">
${packages.map(({ element }) => element).join('')}</metadata>
`
      const body = gzipSync(text, { level: 9 })
      return [
        { paths: [`repodata/${hash('sha256', body)}-primary.xml.gz`], contentType: 'application/gzip', body },
      ]
    },
    async sign(documents, signer) {
      const body = Buffer.from(repomdOf(documents, signer))
      const { armored } = await signer.detached(body)
      const signature = 'application/pgp-signature'
      return [
        { paths: ['repodata/repomd.xml'], contentType: xml, body },
        { paths: ['repodata/repomd.xml.asc'], contentType: signature, body: Buffer.from(armored) },
        {
          paths: ['repodata/repomd.xml.key'],
          contentType: 'application/pgp-keys',
          body: Buffer.from(signer.keyring.armored),
        },
      ]
    },
  },
  answer({ path, base }, feed) {
    if (path.length === 1 && path[0] === `${feed.channelId}.repo`)
      return { contentType: 'text/plain; charset=utf-8', body: repositoryFile(base, feed) }
    const file = findInPool(path, feed)
    return file && { file }
  },
}

/** Returns the file that adds the repository. The index states the checksums of packages, so it alone must be signed. */
const repositoryFile = (base: string, { channelId, applicationName }: Feed): string =>
  [
    `[${channelId}]`,
    `name=${
      applicationName
        .toWellFormed()
        .replaceAll(/\p{C}|[\u2028\u2029$%]/gu, ' ')
        .trim() || channelId
    }`,
    `baseurl=${base}`,
    'type=rpm-md',
    'enabled=1',
    'autorefresh=1',
    'gpgcheck=0',
    'repo_gpgcheck=1',
    `gpgkey=${base}/key.asc`,
    '',
  ].join('\n')

const rpmPackage: PackageKind<{ element: string }> = {
  endings: ['.rpm'],
  platform: 'Linux',
  name: 'an RPM package',
  part: 'header',
  fields: 'name, version or architecture',
  isInspected: ({ rpmHeader }) => rpmHeader !== null,
  read: readPackage,
}

function readPackage(found: Package): { key: string; element: string } | undefined {
  const { sha256 } = found.file
  const header = found.details.rpmHeader
  if (header === null || sha256 === null) return undefined
  const { name, version, release, architecture, epoch } = header
  if (name === null || version === null || release === null || architecture === null) return undefined
  const isValid =
    namePattern.test(name) &&
    versionPattern.test(version) &&
    versionPattern.test(release) &&
    architecturePattern.test(architecture)
  if (!isValid) return undefined
  const full = `${name}-${version}-${release}.${architecture}`
  return {
    key: `${epoch ?? 0} ${full}`,
    element: packageElement(found, header, { sha256, filename: `${full}.rpm` }),
  }
}

function packageElement(
  { file, entry }: Package,
  header: RpmHeader,
  { sha256, filename }: { sha256: string; filename: string },
): string {
  const text = (name: string, value: string | null) => `<${name}>${escapeXml(value ?? '')}</${name}>`
  const time = Math.floor(entry.publishedAt.getTime() / 1000)
  return `<package type="rpm">
${text('name', header.name)}${text('arch', header.architecture)}
<version epoch="${header.epoch ?? 0}" ver="${escapeXml(header.version ?? '')}" rel="${escapeXml(header.release ?? '')}"/>
<checksum type="sha256" pkgid="YES">${sha256}</checksum>
${text('summary', header.summary)}${text('description', header.description)}${text('packager', header.packager)}${text('url', header.url)}
<time file="${time}" build="${header.build_time ?? time}"/>
<size package="${file.sizeBytes}" installed="${header.installed_size ?? 0}" archive="${header.archive_size ?? 0}"/>
<location href="${escapeXml(poolPath(sha256, filename))}"/>
<format>
${text('rpm:license', header.license)}${text('rpm:vendor', header.vendor)}${text('rpm:group', header.group)}${text('rpm:buildhost', header.build_host)}${text('rpm:sourcerpm', header.source_rpm)}
<rpm:header-range start="${header.header_start}" end="${header.header_end}"/>
${rpmRelationNames.map((name) => relationsElement(name, header[name])).join('')}${header.files.map((path) => `<file>${escapeXml(path)}</file>\n`).join('')}</format>
</package>
`
}

/** The bits of RPMSENSE_*: less, greater and equal, and those of requirements before the installation. */
const comparisons: Readonly<Record<number, string>> = { 2: 'LT', 4: 'GT', 8: 'EQ', 10: 'LE', 12: 'GE' }
const comparisonBits = 2 | 4 | 8
const beforeInstallationBits = (1 << 9) | (1 << 10)
/** Features that rpm itself provides. createrepo_c omits them. */
const isOfRpm = (name: string): boolean => name.startsWith('rpmlib(')

function relationsElement(name: (typeof rpmRelationNames)[number], relations: RpmHeader['provides']): string {
  const seen = new Set<string>()
  const entries = relations
    .filter((relation) => !isOfRpm(relation.name))
    .map((relation) => relationElement(name, relation))
  const unique = entries.filter((entry) => !seen.has(entry) && seen.add(entry))
  return unique.length === 0 ? '' : `<rpm:${name}>\n${unique.join('')}</rpm:${name}>\n`
}

function relationElement(kind: string, { name, flags, version }: RpmHeader['provides'][number]): string {
  const comparison = comparisons[flags & comparisonBits]
  const [, epoch = '0', ver = '', , rel] = /^(?:(\d+):)?([^-]*)(-(.*))?$/s.exec(version) ?? []
  const versioned =
    comparison === undefined || version === ''
      ? ''
      : ` flags="${comparison}" epoch="${epoch}" ver="${escapeXml(ver)}"${rel === undefined ? '' : ` rel="${escapeXml(rel)}"`}`
  const pre = kind === 'requires' && (flags & beforeInstallationBits) !== 0 ? ' pre="1"' : ''
  return `<rpm:entry name="${escapeXml(name)}"${versioned}${pre}/>\n`
}

function repomdOf(documents: readonly IndexDocument[], { date }: Pick<IndexSigner, 'date'>): string {
  const seconds = Math.floor(date.getTime() / 1000)
  const data = documents.map(({ paths: [path = ''], body }) => {
    const plain = gunzipSync(body)
    return `<data type="primary">
<checksum type="sha256">${hash('sha256', body)}</checksum>
<open-checksum type="sha256">${hash('sha256', plain)}</open-checksum>
<location href="${path}"/>
<timestamp>${seconds}</timestamp>
<size>${body.length}</size>
<open-size>${plain.length}</open-size>
</data>
`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<repomd xmlns="http://linux.duke.edu/metadata/repo" xmlns:rpm="http://linux.duke.edu/metadata/rpm">
<revision>${seconds}</revision>
${data.join('')}</repomd>
`
}
