import { hash } from 'node:crypto'
import { signedJar } from '../../../../crypto/signed-jar.ts'
import type { Adapter, CertificateSigner, Feed, IndexDocument, Setup, SetupContext } from '../adapter.ts'
import { findInPool, listDistinct, listMissingPackages } from '../packages.ts'
import { androidPackage, describeVersion, type AndroidPackage } from './android-package.ts'

/** The version of the index format, which fdroidserver states. */
const formatVersion = 30_000
/** Clients complete an address with these segments. */
const folder = 'repo'
const indexPath = `${folder}/index-v2.json`
/** The number of versions of a package that clients are shown. */
const maxVersions = 100
/** The number of packages that are shown with an icon. */
const maxIcons = 20
const locale = 'en-US'

/**
 * The index of version 2 of F-Droid, as fdroidserver (index.py) writes it. `entry.jar` is signed and names the index by its
 * checksum.
 */
export const fdroid: Adapter = {
  name: 'F-Droid',
  rollout: 'complete_only',
  system: 'android',
  paths: [folder],
  listMissing: (entry, feed) => listMissingPackages(entry, feed, androidPackage),
  setUp,
  index: {
    signedBy: 'x509',
    async listDocuments(feed) {
      const packages = await listDistinct(feed.offers(), feed, androidPackage)
      const byName = [...Map.groupBy(packages, ({ info }) => info.package_name)]
      const described: Packages = {}
      const icons: IndexDocument[] = []
      for (const [position, [name, versions]] of byName.entries()) {
        const icon = position < maxIcons ? await readIcon(versions, feed) : undefined
        described[name] = describePackage(versions.slice(0, maxVersions), icon, feed)
        if (icon !== undefined) icons.push(icon)
      }
      return [{ ...json, paths: [indexPath], body: indexOf(described, feed, 0) }, ...icons]
    },
    sign: ([index], signer, feed) =>
      Promise.resolve(index === undefined ? [] : signIndex(index, signer, feed)),
  },
  answer({ path: [first, ...path] }, feed) {
    const file = first === folder ? findInPool(path, feed) : undefined
    return file && { file }
  },
}

const keyInPath = '/k/{read_key}'

/** Returns the links that add the repository. F-Droid replaces the address by that in the index, which has no read key. */
function setUp({ base, fingerprint }: SetupContext): Setup[] {
  const [scheme = '', address = ''] = base.replace(keyInPath, '').split('://')
  const user = base.includes(keyInPath) ? 'fdroid:{read_key}@' : ''
  const rest = `${user}${address}/${folder}?fingerprint=${fingerprint}`
  return [
    { title: 'Add the repository in F-Droid', code: `${scheme}://${rest}` },
    // The scheme for HTTPS ends in `s`.
    { title: 'Open on the device', code: `${scheme.replace('http', 'fdroidrepo')}://${rest}` },
  ]
}

type Packages = Record<string, ReturnType<typeof describePackage>>

const json = { contentType: 'application/json' }

/** Returns the index with a time, which must be that in `entry.jar` (IndexV2Updater.kt). */
const indexOf = (packages: Packages, feed: Feed, timestamp: number): Buffer =>
  Buffer.from(
    JSON.stringify({
      repo: {
        name: { [locale]: feed.applicationName.toWellFormed() },
        description: { [locale]: `Builds of ${feed.applicationName.toWellFormed()}` },
        address: `${feed.channelUrl}/fdroid/${folder}`,
        timestamp,
      },
      packages,
    }),
  )

function signIndex(
  { body }: IndexDocument,
  { date, validUntil, signatureBlock }: CertificateSigner,
  feed: Feed,
): IndexDocument[] {
  const timestamp = date.getTime()
  const { packages } = JSON.parse(body.toString()) as { packages: Packages }
  const index = indexOf(packages, feed, timestamp)
  const sha256 = hash('sha256', index)
  const name = `${sha256}/index-v2.json`
  const entry = {
    timestamp,
    version: formatVersion,
    maxAge: Math.floor((validUntil.getTime() - timestamp) / 86_400_000),
    index: { name: `/${name}`, sha256, size: index.length, numPackages: Object.keys(packages).length },
    diffs: {},
  }
  const content = Buffer.from(JSON.stringify(entry))
  return [
    { ...json, paths: [indexPath, `${folder}/${name}`], body: index },
    {
      paths: [`${folder}/entry.jar`],
      contentType: 'application/java-archive',
      body: signedJar([{ path: 'entry.json', content }], signatureBlock),
    },
  ]
}

/** Returns what the index states about a package, given its versions, newest first. */
function describePackage(versions: readonly AndroidPackage[], icon: IndexDocument | undefined, feed: Feed) {
  const times = versions.map(({ found }) => found.entry.publishedAt.getTime())
  const [newest] = versions
  const applicationName = feed.applicationName.toWellFormed()
  return {
    metadata: {
      added: Math.min(...times),
      lastUpdated: Math.max(...times),
      name: { [locale]: newest?.found.file.build.package?.name ?? applicationName },
      summary: { [locale]: applicationName },
      ...(icon === undefined ? {} : { icon: { [locale]: fileOf(icon) } }),
      preferredSigner: newest?.info.signing_cert_sha256,
    },
    versions: Object.fromEntries(
      versions.map((version) => [version.sha256, describeVersion(version, locale)]),
    ),
  }
}

/** Returns the icon of the newest version that has one. */
async function readIcon(versions: readonly AndroidPackage[], feed: Feed): Promise<IndexDocument | undefined> {
  const [key] = versions.flatMap(({ found }) => found.details.iconKey ?? [])
  const icon = key === undefined ? undefined : await feed.readIcon(key)
  const ending = icon?.contentType.split('/')[1]
  return icon && { ...icon, paths: [`${folder}/icons/${hash('sha256', icon.body)}.${ending}`] }
}

const fileOf = ({ paths: [path = ''], body }: IndexDocument) => ({
  name: path.slice(folder.length),
  sha256: hash('sha256', body),
  size: body.length,
})
