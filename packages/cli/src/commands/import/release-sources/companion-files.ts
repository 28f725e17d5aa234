/** A checksum, signature, description or symbols: a file that belongs to others and is not a build. */
const companionEnding = new RegExp(
  [
    String.raw`\.(?:asc|sig|sign|minisig|gpg|sigstore|crt|cert|pem|att|provenance)$`,
    String.raw`\.(?:md5|sha\d{1,3}|b2)(?:sums?)?$`,
    String.raw`\.(?:json|jsonl|ya?ml|xml|toml|csv|txt|md|html?|pdf|log|map|plist)$`,
    String.raw`\.(?:blockmap|zsync|torrent|sbom|spdx|buildinfo|pdb)$`,
    String.raw`\.dsym(?:\.zip|\.tar\.gz)?$`,
    String.raw`^(?:md5|sha\d{1,3}|b2)sums?$`,
  ].join('|'),
  'i',
)

/** Returns whether a file describes other files, so that it is not a build. */
export const isCompanion = (filename: string): boolean => companionEnding.test(filename)

/** Returns whether a file is an expansion file of an Android package. */
export const isExpansion = (filename: string): boolean => /\.obb$/i.test(filename)

const stemOf = (filename: string): string => filename.toLowerCase().replace(/(?:\.tar)?\.[a-z][a-z0-9]*$/, '')

/**
 * Returns the name of the build that a file belongs to: `app.apk` for `app.apk.sig` or `app.sha256`. Returns undefined if
 * the file belongs to the whole release, such as SHA256SUMS.
 */
export function ownerOf(companion: string, builds: string[]): string | undefined {
  const name = companion.toLowerCase()
  const extended = builds.filter((build) => name.startsWith(`${build.toLowerCase()}.`))
  const longest = extended.toSorted((a, b) => b.length - a.length)[0]
  return longest ?? builds.find((build) => stemOf(build) === stemOf(companion))
}
