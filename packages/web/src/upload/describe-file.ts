import { choosePlatform, detectKind } from '@quayside/sdk/platform'
import { formatVersion, versionFromFilename } from '@quayside/sdk/version'
import type { UploadFields } from './upload.ts'

export type FileDescription = Pick<UploadFields, 'platform' | 'version' | 'buildNumber'> & {
  /** A data URL, or null if the file contains no icon. */
  icon: string | null
}

/** Reads the platform and version from the name and the first bytes of a file. */
export async function describeFile(file: File, platforms: readonly string[]): Promise<FileDescription> {
  const kind = detectKind(new Uint8Array(await file.slice(0, 16).arrayBuffer()))
  const choice = choosePlatform(file.name, kind, platforms)
  const version = versionFromFilename(file.name)
  return {
    platform: 'platform' in choice ? choice.platform : null,
    version: version === undefined ? '' : formatVersion(version),
    buildNumber: '',
    icon: null,
  }
}
