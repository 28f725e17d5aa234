import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../../../../scripts/demo/random.ts'
import { storageForecast } from './storage-forecast.ts'

const today = '2026-11-21'

function required(bytes: readonly number[]) {
  const forecast = storageForecast(bytes, today)
  assert.ok(forecast !== null)
  return forecast
}

test('continues a steady growth from the value of today, without a range', () => {
  const forecast = required([0, 0, 100, 110, 120, 130, 140, 150, 160])
  assert.deepEqual([forecast.recorded_days, forecast.bytes_per_day], [7, 10])
  assert.deepEqual(forecast.days.slice(0, 2), ['2026-11-22', '2026-11-23'])
  assert.equal(forecast.days.length, 30)
  assert.equal(forecast.days.at(-1), '2026-12-21')
  for (const values of [forecast.bytes, forecast.low_bytes, forecast.high_bytes])
    assert.deepEqual([values[0], values[29]], [170, 460])
})

test('widens the range with the variation of the changes and with every day', () => {
  const { bytes, low_bytes, high_bytes } = required([1000, 1300, 1200, 1500, 1400, 1700, 1600, 1900, 1800])
  const widths = bytes.map((_, index) => (high_bytes[index] ?? 0) - (low_bytes[index] ?? 0))
  assert.ok(widths.every((width, index) => index === 0 || width >= (widths[index - 1] ?? 0)))
  // Eight changes of +300 and -100 have the mean 100 and the standard deviation 213.8.
  assert.equal(bytes[0], 1900)
  assert.equal(high_bytes[0], Math.round(1900 + 1.645 * 213.809 * Math.sqrt(1 + 1 / 8)))
  assert.equal(low_bytes[29], Math.max(0, Math.round(4800 - 1.645 * 213.809 * Math.sqrt(30 + 900 / 8))))
})

test('covers about nine of ten generated developments', () => {
  const random = createRandom('forecast')
  const normal = () =>
    Array.from({ length: 12 }, () => random.between(0, 1)).reduce((sum, value) => sum + value, -6)
  const runs = 2_000
  let covered = 0
  for (let run = 0; run < runs; run++) {
    const series = [1e9]
    for (let day = 1; day < 60 + 30; day++) series.push((series.at(-1) ?? 0) + 1e6 + 3e6 * normal())
    const { low_bytes, high_bytes } = required(series.slice(0, 60))
    const later = series.at(-1) ?? 0
    if (later >= (low_bytes.at(-1) ?? 0) && later <= (high_bytes.at(-1) ?? 0)) covered++
  }
  assert.ok(covered / runs > 0.86 && covered / runs < 0.93, `${covered} of ${runs}`)
})

test('never forecasts less than nothing', () => {
  const { bytes, low_bytes } = required([700, 600, 500, 400, 300, 200, 100])
  assert.deepEqual([bytes[0], bytes[5], low_bytes[29]], [0, 0, 0])
})

test('looks further ahead if the period is long', () => {
  assert.equal(required(Array.from({ length: 90 }, (_, day) => day * 10)).days.length, 90)
})

test('needs seven days with stored bytes', () => {
  assert.equal(storageForecast([], today), null)
  assert.equal(
    storageForecast(
      Array.from({ length: 30 }, () => 0),
      today,
    ),
    null,
  )
  assert.equal(storageForecast([0, 0, 1, 2, 3, 4, 5, 6], today), null)
})
