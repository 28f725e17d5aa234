import { hash } from 'node:crypto'
import { tarGz } from '../../../lib/archives/tar.ts'
import type { Adapter, Feed, IndexDocument } from './adapter.ts'
import { listDistinct, listMissingPackages, type Package, type PackageKind } from './packages.ts'
import { checksumInName, findCompanion, findPublished } from './published-files.ts'

/** Architectures that have a database although no package is for them, because pacman fails without it. */
const commonArchitectures = ['x86_64', 'aarch64']
/** The databases have this name in the index. Clients ask for the name that the user has given the repository. */
const indexName = 'packages'

const databasePath = /^([^/]+)\/[^/]+?(\.[0-9a-f]{64})?\.db(\.sig)?$/

const namePattern = /^[a-z0-9@_+][a-z0-9@._+-]{0,79}$/
const versionPattern = /^(?:\d{1,9}:)?[0-9A-Za-z._+~]{1,40}-\d{1,9}(?:\.\d{1,9})?$/
const architecturePattern = /^[a-z0-9_]{1,40}$/
const maxSignatureBytes = 16 * 1024

/**
 * The format of pacman, which Arch Linux uses. libalpm (be_sync.c) refuses file names that contain a slash, and databases with
 * several versions of a package.
 */
export const pacman: Adapter = {
  name: 'pacman',
  rollout: 'complete_only',
  system: 'linux',
  paths: commonArchitectures.map((architecture) => `${architecture}/${indexName}.db`),
  listMissing: (entry, feed) => listMissingPackages(entry, feed, pacmanPackage),
  setUp: ({ base, token }) => [
    {
      title: 'Trust the repository key',
      code: [
        `curl -fsSL -o key.asc ${base}/key.asc`,
        'sudo pacman-key --add key.asc',
        `gpg --show-keys --with-colons key.asc | awk -F: '$1 == "fpr" { print $10 }' | xargs -n 1 sudo pacman-key --lsign-key`,
      ].join('\n'),
    },
    {
      title: 'Add the repository to /etc/pacman.conf',
      code: [`[${token}]`, 'SigLevel = DatabaseRequired PackageNever', `Server = ${base}/$arch`].join('\n'),
    },
  ],
  index: {
    signedBy: 'openpgp',
    nameDocument: (path) => path.replace(databasePath, `$1/${indexName}$2.db$3`),
    // libalpm (dload.c) requests the signature from the URL to which it was redirected.
    redirectsToChecksum: true,
    async listDocuments(feed) {
      const packages = await listDistinct(feed.offers(), feed, pacmanPackage)
      const descriptions = await Promise.all(packages.map((found) => describe(found, feed)))
      const architectures = new Set([
        ...commonArchitectures,
        ...descriptions.map(({ architecture }) => architecture),
      ])
      architectures.delete('any')
      return [...architectures].toSorted().map((architecture): IndexDocument => {
        const newest = new Map<string, Description>()
        for (const each of descriptions)
          if ([architecture, 'any'].includes(each.architecture) && !newest.has(each.name))
            newest.set(each.name, each)
        const body = tarGz([...newest.values()], new Date(0))
        const path = `${architecture}/${indexName}`
        return {
          paths: [`${path}.db`, `${path}.${hash('sha256', body)}.db`],
          contentType: 'application/gzip',
          body,
        }
      })
    },
    sign: (documents, signer) =>
      Promise.all(
        documents.map(async ({ paths, body }) => ({
          paths: paths.map((path) => `${path}.sig`),
          contentType: 'application/octet-stream',
          // pacman refuses a database if it does not know one of the keys, and every client knows the oldest.
          body: (await signer.detached(body, 'oldest key')).binary,
        })),
      ),
  },
  answer({ path }, feed) {
    const filename = path[1]
    const start = /\.([0-9a-f]{32})\.pkg\.tar\.[a-z]+$/.exec(filename ?? '')?.[1]
    if (path.length !== 2 || start === undefined) return undefined
    const file = findPublished(
      feed,
      ({ kind, sha256 }) => kind === 'file' && sha256 !== null && checksumInName(sha256) === start,
    )
    return file && { file }
  },
}

type PacmanPackage = { found: Package; sha256: string; name: string; version: string; architecture: string }

const pacmanPackage: PackageKind<PacmanPackage> = {
  endings: ['.pkg.tar.zst', '.pkg.tar.xz', '.pkg.tar.gz', '.pacman'],
  platform: 'Linux',
  name: 'a pacman package',
  part: '.PKGINFO',
  fields: 'pkgname, pkgver or arch',
  isInspected: ({ pacmanInfo }) => pacmanInfo !== null,
  read: readPackage,
}

function readPackage(found: Package): (PacmanPackage & { key: string }) | undefined {
  const { sha256 } = found.file
  const fields = found.details.pacmanInfo
  if (fields === null || sha256 === null) return undefined
  const valueOf = (name: string) => fields.find((field) => field.name === name)?.value ?? ''
  const [name, version, architecture] = [valueOf('pkgname'), valueOf('pkgver'), valueOf('arch')]
  if (!namePattern.test(name) || !versionPattern.test(version) || !architecturePattern.test(architecture))
    return undefined
  return { key: `${name} ${architecture}`, found, sha256, name, version, architecture }
}

/** The sections of a description with the fields of .PKGINFO that they state, in the order of repo-add. */
const sections: readonly (readonly [string, string])[] = [
  ['BASE', 'pkgbase'],
  ['DESC', 'pkgdesc'],
  ['GROUPS', 'group'],
  ['ISIZE', 'size'],
  ['URL', 'url'],
  ['LICENSE', 'license'],
  ['BUILDDATE', 'builddate'],
  ['PACKAGER', 'packager'],
  ['REPLACES', 'replaces'],
  ['CONFLICTS', 'conflict'],
  ['PROVIDES', 'provides'],
  ['DEPENDS', 'depend'],
  ['OPTDEPENDS', 'optdepend'],
  ['MAKEDEPENDS', 'makedepend'],
  ['CHECKDEPENDS', 'checkdepend'],
]
const numeric = new Set(['size', 'builddate'])

/** The file of a database that describes a package. */
type Description = { name: string; architecture: string; path: string; content: Buffer }

async function describe(
  { found: { entry, file, details }, sha256, name, version, architecture }: PacmanPackage,
  feed: Feed,
): Promise<Description> {
  const valuesOf = (field: string) =>
    (details.pacmanInfo ?? [])
      .filter((each) => each.name === field)
      .map(({ value }) =>
        value
          .toWellFormed()
          .replaceAll(/\p{Cc}/gu, ' ')
          .trim(),
      )
      .filter((value) => (numeric.has(field) ? /^\d{1,15}$/.test(value) : value !== ''))
  const companion = findCompanion(entry, file, '.sig')
  const signature =
    companion && companion.sizeBytes <= maxSignatureBytes ? await feed.read(companion) : undefined
  const compression = compressionOf(file.filename)
  const values: [string, string[]][] = [
    // It contains the checksum, so that it never leads to other bytes than a database states.
    ['FILENAME', [`${name}-${version}-${architecture}.${checksumInName(sha256)}.pkg.tar${compression}`]],
    ['NAME', [name]],
    ['VERSION', [version]],
    ['CSIZE', [`${file.sizeBytes}`]],
    ['SHA256SUM', [sha256]],
    ['PGPSIG', signature === undefined ? [] : [signature.toString('base64')]],
    ['ARCH', [architecture]],
    ...sections.map(([section, field]): [string, string[]] => [section, valuesOf(field)]),
  ]
  const text = values
    .filter(([, lines]) => lines.length > 0)
    .map(([section, lines]) => `%${section}%\n${lines.join('\n')}\n\n`)
    .join('')
  return { name, architecture, path: `${name}-${version}/desc`, content: Buffer.from(text) }
}

/** Returns the ending that names the compression. electron-builder compresses `.pacman` files with xz. */
const compressionOf = (filename: string): string =>
  filename.toLowerCase().endsWith('.pacman') ? '.xz' : filename.slice(filename.lastIndexOf('.')).toLowerCase()
