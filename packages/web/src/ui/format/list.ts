const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** Joins names, as in "Android, iOS, and Linux". */
export const listOf = (names: readonly string[]): string => list.format(names)
