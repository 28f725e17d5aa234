import type { IosInfo } from '../../inspection/inspection.ts'
import { writePlist } from '../../lib/plist.ts'

export type InstalledApp = {
  /** The absolute URL from which the device downloads the package. */
  url: string
  sizeBytes: number
  /** Hexadecimal; null until it has been computed. */
  sha256: string | null
  /** The absolute URL of the icon if it is a PNG image. */
  iconUrl: string | undefined
  info: Pick<IosInfo, 'bundle_version' | 'version_short_string'> & { bundle_id: string }
  title: string
  subtitle: string | null
}

/** Apple requires more than one character of an identifier and a title. */
const minTextLength = 2

/** Returns the manifest that tells an iPhone or iPad what to install (Apple, device management, `ManifestURL`). */
export function installManifest({
  url,
  sizeBytes,
  sha256,
  iconUrl,
  info,
  title,
  subtitle,
}: InstalledApp): Buffer {
  const version = info.version_short_string ?? info.bundle_version ?? undefined
  const image = (kind: string) => (iconUrl === undefined ? [] : [{ kind, url: iconUrl }])
  return writePlist({
    items: [
      {
        assets: [
          {
            kind: 'software-package',
            url,
            // The whole file is one chunk.
            ...(sha256 === null ? {} : { 'sha256-size': sizeBytes, sha256s: [sha256] }),
          },
          // iOS scales the icon to the sizes that it needs.
          ...image('display-image'),
          ...image('full-size-image'),
        ],
        metadata: {
          'bundle-identifier': info.bundle_id,
          'bundle-version': version,
          kind: 'software',
          'platform-identifier': 'com.apple.platform.iphoneos',
          title: title.length < minTextLength ? `${title} ${version ?? '–'}` : title,
          subtitle: subtitle ?? undefined,
        },
      },
    ],
  })
}
