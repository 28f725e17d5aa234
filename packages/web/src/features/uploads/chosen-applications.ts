/**
 * Returns the IDs of the applications of files by the matches of their package names. A file without a match is for the
 * target; the person must choose if the drop contains files for others, or if only its package is unknown.
 */
export function chosenApplications(
  packageNames: readonly (string | null)[],
  matches: readonly (string | undefined)[],
  targetId: string,
): (string | undefined)[] {
  const found = matches.filter((id) => id !== undefined)
  const isForOthers = found.some((id) => id !== targetId)
  return matches.map((id, index) => {
    if (id !== undefined) return id
    const isUnknown = packageNames[index] !== null && found.length > 0
    return isForOthers || isUnknown ? undefined : targetId
  })
}
