const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

/** Formats a size such as `3.39 MB`. Units are powers of 1024 with two decimal places; bytes have no decimal places. */
export function sizeString(sizeBytes: number): string {
  let value = sizeBytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  // 1023.996 KB would be printed as "1024.00 KB", so the rounded value determines the unit.
  if (unit < units.length - 1 && Number(value.toFixed(2)) >= 1024) {
    value /= 1024
    unit += 1
  }
  return unit === 0 ? `${value} B` : `${value.toFixed(2)} ${units[unit]}`
}

/** Parses a size such as `20 GB`, `1.5GiB` or `4096`, with powers of 1024. Returns undefined for other text. */
export function parseSize(text: string): number | undefined {
  const [, number, prefix] = /^(\d{1,15}(?:\.\d{1,3})?) ?(?:([KMGTP]?)i?B)?$/i.exec(text) ?? []
  if (number === undefined) return undefined
  const unit = units.indexOf(`${(prefix ?? '').toUpperCase()}B`)
  const sizeBytes = Math.round(Number(number) * 1024 ** unit)
  return Number.isSafeInteger(sizeBytes) ? sizeBytes : undefined
}
