import { readBinaryManifest, readProtobufManifest, type AndroidManifest } from './android-manifest.ts'
import { readExecutableVersion } from './executable-version.ts'
import { readInfoPlist } from './info-plist.ts'
import { listZipEntries, readZipEntry, type ZipEntry } from './zip-directory.ts'

/** What a package says about itself. Texts are as written in the package, and may be empty. */
export type PackageContent = {
  /** The platform for which the package is built, if its content shows it. */
  platform: string | null
  /** The package name or bundle identifier, such as `com.example.app`. */
  packageName: string
  version: string
  buildNumber: string
  icon: Blob | null
}

const maxManifestBytes = 8 * 2 ** 20
const maxIconBytes = 512 * 1024

/** Reads the metadata of an APK, app bundle, iOS application or Windows program. Returns undefined for other files. */
export async function readPackage(file: Blob, filename: string): Promise<PackageContent | undefined> {
  const extension = /\.(\w+)$/.exec(filename.toLowerCase())?.[1]
  if (extension === 'exe') return readExecutable(file)
  if (extension === 'ipa') return readIpa(file)
  if (extension === 'apk') return readAndroid(file, 'AndroidManifest.xml', readBinaryManifest)
  if (extension === 'aab') return readAndroid(file, 'base/manifest/AndroidManifest.xml', readProtobufManifest)
  return undefined
}

async function readExecutable(file: Blob): Promise<PackageContent | undefined> {
  const numbers = await readExecutableVersion(file)
  if (numbers === undefined) return undefined
  const build = numbers[3] ?? 0
  return {
    platform: null,
    packageName: '',
    version: numbers.slice(0, 3).join('.'),
    buildNumber: build === 0 ? '' : String(build),
    icon: null,
  }
}

const applePlatforms: Readonly<Record<string, string>> = {
  iPhoneOS: 'ios',
  AppleTVOS: 'apple-tv',
  WatchOS: 'apple-watch',
  XROS: 'vision-pro',
}

async function readIpa(file: Blob): Promise<PackageContent> {
  const entries = await listZipEntries(file)
  const info = readInfoPlist(await readNamed(file, entries, /^Payload\/[^/]+\.app\/Info\.plist$/))
  return {
    platform: applePlatforms[info.get('CFBundleSupportedPlatforms') ?? ''] ?? null,
    packageName: info.get('CFBundleIdentifier') ?? '',
    version: info.get('CFBundleShortVersionString') ?? '',
    buildNumber: info.get('CFBundleVersion') ?? '',
    icon: null,
  }
}

const androidPlatforms: Readonly<Record<string, string>> = {
  'android.hardware.type.watch': 'wearos',
  'android.hardware.vr.headtracking': 'quest',
}

async function readAndroid(
  file: Blob,
  path: string,
  read: (bytes: Uint8Array) => AndroidManifest,
): Promise<PackageContent> {
  const entries = await listZipEntries(file)
  const pattern = new RegExp(`^${RegExp.escape(path)}$`)
  const { packageName, versionName, versionCode, features } = read(await readNamed(file, entries, pattern))
  const platforms = features.map((feature) => androidPlatforms[feature])
  return {
    platform: platforms.find((platform) => platform !== undefined) ?? 'android',
    packageName,
    version: versionName,
    buildNumber: versionCode === 0 ? '' : String(versionCode),
    icon: await findLauncherIcon(file, entries).catch(() => null),
  }
}

async function readNamed(file: Blob, entries: ZipEntry[], pattern: RegExp): Promise<Uint8Array> {
  const entry = entries.find(({ name }) => pattern.test(name))
  if (entry === undefined) throw new RangeError(`The archive does not contain ${pattern.source}.`)
  return readZipEntry(file, entry, maxManifestBytes)
}

const launcherIcon = /^(?:base\/)?res\/(?:mipmap|drawable)-[^/]*\/ic_launcher(?:_round)?\.(png|webp)$/

/** Returns the largest launcher icon with the usual name. The server finds icons with other names. */
async function findLauncherIcon(file: Blob, entries: ZipEntry[]): Promise<Blob | null> {
  const [largest] = entries
    .filter(({ name, sizeBytes }) => launcherIcon.test(name) && sizeBytes <= maxIconBytes)
    .toSorted((a, b) => b.sizeBytes - a.sizeBytes)
  if (largest === undefined) return null
  const type = largest.name.endsWith('.png') ? 'image/png' : 'image/webp'
  return new Blob([Uint8Array.from(await readZipEntry(file, largest, maxIconBytes))], { type })
}
