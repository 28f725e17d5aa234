import type { IosInfo } from '../../inspection/inspection.ts'
import { manifestIcons, type ManifestIcon } from './manifest-icons.ts'
import { writePlist } from './plist.ts'

export type InstalledApp = {
  /** The absolute URL from which the device downloads the package. */
  url: string
  sizeBytes: number
  /** Hexadecimal; null until it has been computed. */
  sha256: string | null
  /** Returns the absolute URL of an icon; undefined if there are none. */
  iconUrlOf: ((icon: ManifestIcon) => string) | undefined
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
  iconUrlOf,
  info,
  title,
  subtitle,
}: InstalledApp): Buffer {
  const version = info.version_short_string ?? info.bundle_version ?? undefined
  const icons = iconUrlOf === undefined ? [] : manifestIcons.map((kind) => ({ kind, url: iconUrlOf(kind) }))
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
          ...icons,
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
