import { platformsFor } from '@quayside/sdk/platform'
import { listOf } from '../../ui/format/list.ts'

// The types that people are most likely to know, the most specific ones first.
const commonTypes =
  'apk aab ipa exe msi msix dmg pkg deb rpm appimage snap flatpak pkg.tar.zst ebuild xbps nar nsp xci xvc pdx rbxl zip tar.gz 7z'.split(
    ' ',
  )
const maxNamed = 8

/** Returns whether a platform accepts the archive of a folder. */
export const acceptsFolders = (platforms: readonly string[]): boolean =>
  platformsFor('folder.zip', 'zip').some((platform) => platforms.includes(platform))

/** Returns the types of file that at least one of the platforms accepts, such as `.apk, .aab and .ipa`. */
export function acceptedTypes(platforms: readonly string[]): string {
  if (platforms.includes('generic')) return 'files of every type'
  const isAccepted = (type: string) =>
    platformsFor(`build.${type}`, 'unknown').some((platform) => platforms.includes(platform))
  const types = commonTypes.filter(isAccepted).map((type) => `.${type}`)
  const isMore = types.length > maxNamed || types.includes('.zip')
  return types.length === 0
    ? 'files of its platforms'
    : listOf([...types.slice(0, maxNamed), ...(isMore ? ['other types'] : [])])
}
