import { Failure } from '../failure.ts'
import { parseVersion, versionOfFileName, versionOfTag } from './version-parts.ts'
import type { VersionParts } from './version-parts.ts'

export type VersionHints = {
  /** What `--version` says. */
  given?: string | undefined
  extra?: string | undefined
  meta?: string | undefined
  /** The tag being built, by the CI service or the local repository. */
  tag?: string | undefined
  filename: string
}

/** The version and where it was found: the flag, else the tag, else the file name. */
export function chooseVersion(hints: VersionHints): VersionParts & { from: string } {
  const found = find(hints)
  return {
    ...found,
    ...(hints.extra === undefined ? {} : { extra: hints.extra }),
    ...(hints.meta === undefined ? {} : { meta: hints.meta }),
  }
}

function find(hints: VersionHints): VersionParts & { from: string } {
  if (hints.given !== undefined) {
    const version = parseVersion(hints.given)
    if (version) return { ...version, from: '--version' }
    throw new Failure(
      'usage',
      `"${hints.given}" is not a version: give --version as 1.2.3, 1.2.3-rc.1 or 1.2.3+meta, numbers up to 9999 and not all 0.`,
    )
  }
  const tagged = hints.tag === undefined ? undefined : versionOfTag(hints.tag)
  if (tagged) return { ...tagged, from: `the tag ${hints.tag}` }
  const named = versionOfFileName(hints.filename)
  if (named) return { ...named, from: 'the file name' }
  throw new Failure(
    'usage',
    `Neither a tag nor the name ${hints.filename} says which version this is: add --version 1.2.3.`,
  )
}
