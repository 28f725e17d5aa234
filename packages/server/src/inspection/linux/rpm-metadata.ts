import { cleanText } from '../bytes.ts'
import { type RpmHeader } from '../inspection.ts'
import { maxRpmRelations, rpmRelationNames } from '../metadata-limits.ts'
import type { RpmTags } from './rpm-header.ts'

const tag = {
  name: 1000,
  version: 1001,
  release: 1002,
  epoch: 1003,
  summary: 1004,
  description: 1005,
  buildTime: 1006,
  buildHost: 1007,
  size: 1009,
  vendor: 1011,
  license: 1014,
  packager: 1015,
  group: 1016,
  url: 1020,
  architecture: 1022,
  sourceRpm: 1044,
  archiveSize: 1046,
  longSize: 5009,
  longArchiveSize: 271,
  directoryIndexes: 1116,
  baseNames: 1117,
  directories: 1118,
}

/** The tags of the names, flags and versions of relations to other packages. */
const relationTags: Readonly<Record<(typeof rpmRelationNames)[number], readonly [number, number, number]>> = {
  provides: [1047, 1112, 1113],
  requires: [1049, 1048, 1050],
  conflicts: [1054, 1053, 1055],
  obsoletes: [1090, 1114, 1115],
  recommends: [5046, 5048, 5047],
  suggests: [5049, 5051, 5050],
  supplements: [5052, 5054, 5053],
  enhances: [5055, 5057, 5056],
}

const maxFiles = 200_000
const maxTextLength = 4096

/** The files that createrepo lists in the primary metadata. */
const isPrimaryFile = (path: string): boolean =>
  path.startsWith('/etc/') || path.includes('bin/') || path === '/usr/lib/sendmail'

/**
 * Returns what the metadata of a repository contains about a package, or null if it has too many relations, because an
 * incomplete list could not be installed. `start` is the offset of the header in the package.
 */
export function describeRpm(header: RpmTags, start: number): RpmHeader | null {
  const { text, number } = header
  const relations = rpmRelationNames.map((name) => [name, relationsOf(header, relationTags[name])] as const)
  const files = primaryFiles(header)
  const count = relations.reduce((sum, [, found]) => sum + found.length, files.length)
  if (count > maxRpmRelations) return null
  return {
    name: cleanText(text(tag.name)),
    epoch: number(tag.epoch) ?? null,
    version: cleanText(text(tag.version)),
    release: cleanText(text(tag.release)),
    architecture: cleanText(text(tag.architecture)),
    summary: multiline(text(tag.summary)),
    description: multiline(text(tag.description)),
    license: multiline(text(tag.license)),
    group: cleanText(text(tag.group)),
    url: cleanText(text(tag.url), maxTextLength),
    vendor: cleanText(text(tag.vendor)),
    packager: cleanText(text(tag.packager)),
    build_host: cleanText(text(tag.buildHost)),
    build_time: number(tag.buildTime) ?? null,
    source_rpm: cleanText(text(tag.sourceRpm)),
    installed_size: number(tag.longSize) ?? number(tag.size) ?? null,
    archive_size: number(tag.longArchiveSize) ?? number(tag.archiveSize) ?? null,
    header_start: start,
    header_end: header.endOffset,
    ...(Object.fromEntries(relations) as Record<(typeof rpmRelationNames)[number], RpmHeader['provides']>),
    files,
  }
}

function relationsOf(
  { texts, numbers }: RpmTags,
  [nameTag, flagsTag, versionTag]: readonly [number, number, number],
): RpmHeader['provides'] {
  const [flags, versions] = [numbers(flagsTag, maxRpmRelations + 1), texts(versionTag, maxRpmRelations + 1)]
  return texts(nameTag, maxRpmRelations + 1).map((name, index) => ({
    name: cleanText(name, maxTextLength) ?? '',
    flags: flags[index] ?? 0,
    version: cleanText(versions[index], maxTextLength) ?? '',
  }))
}

function primaryFiles({ texts, numbers }: RpmTags): string[] {
  const directories = texts(tag.directories, maxFiles)
  const indexes = numbers(tag.directoryIndexes, maxFiles)
  return texts(tag.baseNames, maxFiles)
    .map((name, index) => `${directories[indexes[index] ?? 0] ?? ''}${name}`)
    .filter(isPrimaryFile)
    .map((path) => cleanText(path, maxTextLength) ?? '')
    .slice(0, maxRpmRelations + 1)
}

/** Removes control characters except line breaks and tabs. */
const multiline = (value: string | undefined): string | null =>
  value
    ?.toWellFormed()
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .slice(0, 16_384)
    .toWellFormed() ?? null
