/**
 * Returns the candidate that a misspelled name probably means: the one with the fewest edits, at most `maxEdits`.
 * Returns undefined if every candidate differs in more than half of its letters and is therefore a different word.
 */
export function findSimilarName(
  name: string,
  candidates: readonly string[],
  maxEdits = Infinity,
): string | undefined {
  let similar: string | undefined
  let fewestEdits = maxEdits + 1
  for (const candidate of candidates) {
    const edits = editDistance(name, candidate, maxEdits)
    if (edits >= fewestEdits || 2 * edits > Math.max(name.length, candidate.length)) continue
    similar = candidate
    fewestEdits = edits
  }
  return similar
}

/** Returns the Levenshtein distance, or a number greater than `maxEdits` if the distance exceeds it. */
function editDistance(a: string, b: string, maxEdits: number): number {
  const difference = Math.abs(a.length - b.length)
  if (difference > maxEdits) return difference
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    let left = i
    let diagonal = i - 1
    row = row.map((above, j) => {
      if (j === 0) return i
      left = Math.min(above + 1, left + 1, diagonal + (a[i - 1] === b[j - 1] ? 0 : 1))
      diagonal = above
      return left
    })
  }
  return row.at(-1) ?? 0
}
