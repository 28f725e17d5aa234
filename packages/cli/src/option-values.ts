import { InvalidArgumentError } from 'commander'

/** Collects the values of an option that may be given several times, each time with commas or without. */
export function severalTexts(value: string, before: string[] | undefined): string[] {
  const texts = value
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean)
  return [...(before ?? []), ...texts]
}

/** Collects the values of an option that may be given several times, as they are. */
export function severalPaths(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value]
}

/** A whole number within bounds. */
export function wholeNumber(minimum: number, maximum: number): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (/^\d+$/.test(value) && number >= minimum && number <= maximum) return number
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`)
  }
}

/** An instant from ISO 8601 text or from a time to go such as `90d` or `12h`. */
export function futureTime(value: string): string {
  const toGo = /^(\d{1,5})([hdw])$/.exec(value)
  if (toGo) {
    const hours = { h: 1, d: 24, w: 168 }[toGo[2] as 'h' | 'd' | 'w']
    return new Date(Date.now() + Number(toGo[1]) * hours * 3_600_000).toISOString()
  }
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) {
    throw new InvalidArgumentError('Give a time such as 2027-01-31T12:00:00Z, or from now on 90d, 12h or 4w.')
  }
  return date.toISOString()
}
