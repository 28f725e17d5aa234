/**
 * Returns whether a request for a file of this size includes its first byte. Servers ignore a `Range` header that they
 * cannot read and send the whole file.
 */
export function includesFirstByte(range: string | undefined, sizeBytes: number): boolean {
  const [, list] = /^\s*bytes\s*=(.*)$/is.exec(range ?? '') ?? []
  if (list === undefined) return true
  const parts = list.split(',').map((part) => /^\s*(\d*)\s*-\s*(\d*)\s*$/.exec(part))
  return parts.some((part) => {
    const [, first = '', last = ''] = part ?? []
    if (first !== '') return Number(first) === 0
    return last === '' || Number(last) >= sizeBytes
  })
}
