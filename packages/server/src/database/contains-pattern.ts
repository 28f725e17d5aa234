/** The pattern of `like` and `ilike` for texts that hold this one, whatever characters it is made of. */
export const containsPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
