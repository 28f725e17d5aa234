/** Returns a search parameter as text; undefined if it is missing or empty. The router parses numbers and JSON. */
function optionalText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns a validator of a route's search parameters, each of which is an optional text. */
export const texts =
  <const Name extends string>(...names: readonly Name[]) =>
  (search: Record<string, unknown>): { [K in Name]?: string | undefined } =>
    Object.fromEntries(names.map((name) => [name, optionalText(search[name])])) as {
      [K in Name]?: string | undefined
    }

/** Returns a search parameter that is one of the allowed values. */
export function optionalOneOf<const T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  return allowed.find((each) => each === value)
}

/** Returns the start of a day such as `2026-11-22`, or of a later one, in local time; undefined if it is not a date. */
export function startOfDay(day: string | undefined, laterDays = 0): string | undefined {
  const [year, month, date] = (day ?? '').split('-').map(Number)
  const start = new Date(year ?? NaN, (month ?? NaN) - 1, (date ?? NaN) + laterDays)
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString()
}
