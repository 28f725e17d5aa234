import { byteUnits } from '../format/bytes.ts'

/** Returns the ticks of an axis up to `max` bytes, at round numbers of a unit, and how they are written. */
export function byteAxis(max: number): { ticks: number[]; tickFormatter: (bytes: number) => string } {
  const power = Math.max(0, Math.min(byteUnits.length - 1, Math.floor(Math.log2(Math.max(1, max)) / 10)))
  const unit = 1024 ** power
  const smallest = Math.max(max / unit, 1) / 4
  const magnitude = 10 ** Math.floor(Math.log10(smallest))
  const step = magnitude * ([1, 2, 5].find((factor) => factor * magnitude >= smallest) ?? 10)
  const count = Math.max(1, Math.ceil(max / unit / step))
  return {
    ticks: Array.from({ length: count + 1 }, (_, index) => index * step * unit),
    tickFormatter: (bytes) =>
      bytes === 0 ? '0' : `${Number((bytes / unit).toPrecision(3))} ${byteUnits[power]}`,
  }
}
