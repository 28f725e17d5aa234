import { Type, type Static } from 'typebox'
import { Nullable } from '../../http/endpoint/fields.ts'
import { daysOf } from './daily-series.ts'

/** With fewer changes, the range says nothing. */
const minChanges = 6
const forecastDays = 30
const longForecastDays = 90
/** Nine of ten values of a normal distribution are within this many standard deviations. */
const deviationsOfRange = 1.645

const Bytes = Type.Array(Type.Integer({ minimum: 0 }))

export const StorageForecast = Nullable(
  Type.Object(
    {
      recorded_days: Type.Integer({
        minimum: 1,
        description: 'Number of days that the forecast is based on.',
      }),
      bytes_per_day: Type.Integer({ description: 'Average change per day.' }),
      days: Type.Array(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-11-22'] }), {
        description: 'The days after today, in UTC.',
      }),
      bytes: Bytes,
      low_bytes: Bytes,
      high_bytes: Bytes,
    },
    {
      title: 'StorageForecast',
      description:
        'Stored bytes at the end of the next days if they keep changing as in the period, and a range that nine of ten such developments stay in. ' +
        `\`null\` until the period has ${minChanges + 1} days with stored bytes.`,
    },
  ),
)

/** Continues the stored bytes of each day, oldest first, by their average change, from the value of today. */
export function storageForecast(
  storedBytes: readonly number[],
  today: string,
): Static<typeof StorageForecast> {
  const first = storedBytes.findIndex((bytes) => bytes > 0)
  const recorded = first === -1 ? [] : storedBytes.slice(first)
  const changes = recorded.slice(1).map((bytes, index) => bytes - (recorded[index] ?? 0))
  const count = changes.length
  if (count < minChanges) return null
  const mean = changes.reduce((sum, change) => sum + change, 0) / count
  const variance = changes.reduce((sum, change) => sum + (change - mean) ** 2, 0) / (count - 1)
  const days = storedBytes.length >= longForecastDays ? longForecastDays : forecastDays
  const ahead = Array.from({ length: days }, (_, index) => index + 1)
  // Of a random walk with drift: the changes vary on each day, and the average change is itself uncertain.
  const range = (day: number) => deviationsOfRange * Math.sqrt(variance * (day + day ** 2 / count))
  const from = recorded.at(-1) ?? 0
  const bytesAt = (valueOf: (day: number) => number) =>
    ahead.map((day) => Math.max(0, Math.round(from + mean * day + valueOf(day))))
  return {
    recorded_days: recorded.length,
    bytes_per_day: Math.round(mean),
    days: daysOf({ today: dayAfter(today, days), days }),
    bytes: bytesAt(() => 0),
    low_bytes: bytesAt((day) => -range(day)),
    high_bytes: bytesAt(range),
  }
}

const dayAfter = (today: string, days: number): string =>
  new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
