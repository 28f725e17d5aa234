/** Returns the name of the folder or prefix for bytes that are moved to quarantine at this time. */
export const quarantineName = (time: Date): string =>
  time.toISOString().replaceAll(/[-:]/g, '').replace(/\.\d+/, '')

/** Returns the time in a name from `quarantineName`, or undefined for other names. */
export function readQuarantineName(name: string): Date | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(name)
  if (match === null) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1)
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
