import { byteUnits } from '../format/bytes.ts'

type Axis = { ticks: number[]; domain: [number, number]; tickFormatter: (value: number) => string }

/** Returns the ticks of an axis up to `max` bytes, at round numbers of a unit, and how they are written. */
export function byteAxis(max: number): Axis {
  const power = Math.max(0, Math.min(byteUnits.length - 1, Math.floor(Math.log2(Math.max(1, max)) / 10)))
  return axisOf(max, 1024 ** power, byteUnits[power] ?? '')
}

const durationUnits = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const

/** Returns the ticks of an axis up to `max` seconds, at round numbers of a unit, and how they are written. */
export function durationAxis(max: number): Axis {
  const [unit, name] = durationUnits.find(([seconds]) => max >= 2 * seconds) ?? [1, 's']
  return axisOf(max, unit, name)
}

function axisOf(max: number, unit: number, name: string): Axis {
  const smallest = Math.max(max / unit, 1) / 4
  const magnitude = 10 ** Math.floor(Math.log10(smallest))
  const step = magnitude * ([1, 2, 5].find((factor) => factor * magnitude >= smallest) ?? 10)
  const count = Math.max(1, Math.ceil(max / unit / step))
  return {
    // Without a domain, the axis ends below a tick that is greater than every value.
    domain: [0, count * step * unit],
    ticks: Array.from({ length: count + 1 }, (_, index) => index * step * unit),
    tickFormatter: (value) => (value === 0 ? '0' : `${Number((value / unit).toPrecision(3))} ${name}`),
  }
}
