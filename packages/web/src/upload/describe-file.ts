import { choosePlatform, detectKind, platformsFor } from '@quayside/sdk/platform'
import {
  type FilenameVersion,
  formatVersion,
  parseVersion,
  versionFromFilename,
  type VersionParts,
} from '@quayside/sdk/version'
import type { PackageContent } from './package/read-package.ts'
import type { UploadFields } from './upload.ts'

export type FileDescription = Pick<UploadFields, 'platform' | 'version' | 'buildNumber'> & {
  /** The platforms that accept the file, with the most likely one first. */
  candidates: string[]
  /** A URL of the icon in the package, or null if there is none. */
  icon: string | null
}

const readTimeoutMs = 4_000

/** Reads platform, version and icon from the content of a file, or else from its name. */
export async function describeFile(file: File, platforms: readonly string[]): Promise<FileDescription> {
  const [content, head] = await Promise.all([readInWorker(file), file.slice(0, 16).arrayBuffer()])
  const kind = detectKind(new Uint8Array(head))
  const choice = choosePlatform(file.name, kind, platforms)
  const { platform = null, icon = null } = content ?? {}
  const byName = 'platform' in choice ? choice.platform : null
  const version = chooseVersion(parseVersion(content?.version ?? ''), versionFromFilename(file.name))
  return {
    platform: platform !== null && platforms.includes(platform) ? platform : byName,
    version: version === undefined ? '' : formatVersion(version),
    buildNumber: (content?.buildNumber || version?.build || '').slice(0, 100),
    candidates: platformsFor(file.name, kind),
    icon: icon === null ? null : URL.createObjectURL(icon),
  }
}

/** The name of a file can contain a pre-release label that the package cannot, such as on iOS. */
function chooseVersion(
  inPackage: VersionParts | undefined,
  inName: FilenameVersion | undefined,
): FilenameVersion | undefined {
  if (inPackage === undefined || inName === undefined) return inPackage ?? inName
  const isSame =
    inPackage.major === inName.major && inPackage.minor === inName.minor && inPackage.patch === inName.patch
  return isSame && inPackage.extra === undefined ? inName : inPackage
}

/** Returns what a package says about itself; undefined if it says nothing, is damaged or takes too long to read. */
function readInWorker(file: File): Promise<PackageContent | undefined> {
  if (!/\.(apk|aab|ipa|exe)$/i.test(file.name)) return Promise.resolve(undefined)
  const worker = new Worker(new URL('./package/read-package.worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve } = Promise.withResolvers<PackageContent | undefined>()
  const timer = setTimeout(() => resolve(undefined), readTimeoutMs)
  worker.addEventListener('message', ({ data }: MessageEvent<PackageContent | undefined>) => resolve(data))
  worker.addEventListener('error', () => resolve(undefined))
  worker.postMessage({ file, filename: file.name })
  return promise.finally(() => {
    clearTimeout(timer)
    worker.terminate()
  })
}
