import { Type } from 'typebox'
import type { Period } from './statistics.db.ts'

export const daysQuery = {
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 30,
      description: 'Number of days up to and including today.',
    }),
  ),
}

export const defaultDays = 30

export const Days = Type.Array(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-11-21'] }), {
  description: 'The days in UTC, oldest first. Every array of daily values has one value per day.',
})

export const DailyCounts = Type.Array(Type.Integer({ minimum: 0 }), { description: 'Number per day.' })

export const DailyBytes = Type.Array(Type.Integer({ minimum: 0 }), {
  description: 'Stored bytes at the end of each day, or now for today.',
})

const dayMs = 24 * 60 * 60 * 1000

/** Returns the days of the period, oldest first. */
export const daysOf = ({ today, days }: Period): string[] =>
  Array.from({ length: days }, (_, index) =>
    new Date(Date.parse(today) - (days - 1 - index) * dayMs).toISOString().slice(0, 10),
  )

type DailyAmount = { days_ago: number; amount: number }

/** Returns the sum of the amounts of each day, oldest first. */
export function countsPerDay(rows: readonly DailyAmount[], { days }: Period): number[] {
  const counts = Array.from({ length: days }, () => 0)
  for (const { days_ago, amount } of rows)
    counts[days - 1 - days_ago] = (counts[days - 1 - days_ago] ?? 0) + amount
  return counts.map((count) => Math.max(0, count))
}

/**
 * Returns the bytes stored at the end of each day, oldest first. Changes before the period have `days_ago` equal to its
 * number of days.
 */
export function bytesPerDay(changes: readonly DailyAmount[], { days }: Period): number[] {
  const changeOf = new Map<number, number>()
  for (const { days_ago, amount } of changes) changeOf.set(days_ago, (changeOf.get(days_ago) ?? 0) + amount)
  let bytes = changeOf.get(days) ?? 0
  return Array.from({ length: days }, (_, index) => {
    bytes += changeOf.get(days - 1 - index) ?? 0
    return Math.max(0, bytes)
  })
}

export const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)
