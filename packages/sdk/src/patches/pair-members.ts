import type { Member } from './archive-members.ts'

/** Returns the old member that each new one probably comes from: of the same name, or content, or nearly the same name. */
export function pairMembers(old: readonly Member[], members: readonly Member[]): (Member | undefined)[] {
  const byName = new Map(old.map((member) => [member.name, member]))
  const byContent = new Map(old.map((member) => [contentKey(member), member]))
  const names = new Set(members.map(({ name }) => name))
  const bySimilarName = new Map(
    old.filter(({ name }) => !names.has(name)).map((member) => [withoutVersions(member.name), member]),
  )
  return members.map(
    (member) =>
      byName.get(member.name) ??
      byContent.get(contentKey(member)) ??
      bySimilarName.get(withoutVersions(member.name)),
  )
}

const contentKey = ({ crc32, sizeBytes, isDeflated }: Member) => `${crc32} ${sizeBytes} ${isDeflated}`

/** Versions and hashes in the names of files change with each build. */
const withoutVersions = (name: string) => name.replaceAll(/[0-9a-f]*[0-9][0-9a-f]*/gi, '#')
