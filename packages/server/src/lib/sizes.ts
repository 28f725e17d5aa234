const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

/** Formats a size, such as `3.39 MB`: powers of 1024 with two decimals, or plain bytes without decimals. */
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
