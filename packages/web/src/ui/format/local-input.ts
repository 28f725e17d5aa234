/** Returns a time as date inputs write it, in the time zone of the person. */
export function localInput(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Returns the day of a time as date inputs write it, in the time zone of the person. */
export const localDay = (time: Date): string => localInput(time).slice(0, 10)
