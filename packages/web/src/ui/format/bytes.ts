export const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

/** Returns a size in steps of 1024 with three significant digits, such as `84.2 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1024
    unit++
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2
  return `${value.toFixed(digits)} ${byteUnits[unit]}`
}

const counts = new Intl.NumberFormat('en')

/** Returns a number with thousands separators, such as `1,284`. */
export const formatCount = (count: number): string => counts.format(count)

/** Returns a number with its noun, such as `1 build` or `1,284 builds`. */
export const plural = (count: number, singular: string, several = `${singular}s`): string =>
  `${formatCount(count)} ${count === 1 ? singular : several}`
