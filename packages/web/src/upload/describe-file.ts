import { choosePlatform, detectKind, platformsFor } from '@quayside/sdk/platform'
import {
  type FilenameVersion,
  formatVersion,
  parseVersion,
  versionFromFilename,
  type VersionParts,
} from '@quayside/sdk/version'
import type { PackageContent } from './package/read-package.ts'
import type { Chosen, UploadFields, UploadRecord } from './upload.ts'

export type FileDescription = Pick<UploadFields, 'version' | 'buildNumber'> &
  Pick<UploadRecord, 'filename' | 'kind' | 'packagePlatform' | 'packageName' | 'candidates'> & {
    /** A URL of the icon in the package, or null if there is none. */
    icon: string | null
  }

const readTimeoutMs = 4_000

/** Reads package, version and icon from the content of a file, or else from its name. */
export async function describeFile(chosen: Chosen): Promise<FileDescription> {
  if ('folder' in chosen) return describe(`${chosen.folder.name}.zip`, 'zip', undefined)
  const { file } = chosen
  const [content, head] = await Promise.all([readInWorker(file), file.slice(0, 16).arrayBuffer()])
  return describe(file.name, detectKind(new Uint8Array(head)), content)
}

function describe(
  filename: string,
  kind: FileDescription['kind'],
  content: PackageContent | undefined,
): FileDescription {
  const version = chooseVersion(parseVersion(content?.version ?? ''), versionFromFilename(filename))
  const icon = content?.icon ?? null
  return {
    filename,
    kind,
    packagePlatform: content?.platform ?? null,
    packageName: content?.packageName || null,
    version: version === undefined ? '' : formatVersion(version),
    buildNumber: (content?.buildNumber || version?.build || '').slice(0, 100),
    candidates: platformsFor(filename, kind),
    icon: icon === null ? null : URL.createObjectURL(icon),
  }
}

/** Chooses the platform of a file among those of an application; null if none accepts the file or several do. */
export function platformIn(
  { filename, kind, packagePlatform }: Pick<UploadRecord, 'filename' | 'kind' | 'packagePlatform'>,
  platforms: readonly string[],
): string | null {
  if (packagePlatform !== null && platforms.includes(packagePlatform)) return packagePlatform
  const choice = choosePlatform(filename, kind, platforms)
  return 'platform' in choice ? choice.platform : null
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
