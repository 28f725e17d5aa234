/**
 * Returns the extensions of a file name in lowercase, longest first. For example, `app.tar.GZ` has the extensions
 * `tar.gz` and `gz`. A leading dot does not start an extension. Only the last `maxLength` characters are examined.
 */
export function fileExtensions(filename: string, maxLength: number): string[] {
  const firstDot = Math.max(1, filename.length - maxLength - 1)
  const extensions: string[] = []
  for (let dot = filename.indexOf('.', firstDot); dot !== -1; dot = filename.indexOf('.', dot + 1)) {
    extensions.push(lowerCaseAscii(filename.slice(dot + 1)))
  }
  return extensions
}

/**
 * Lowercases ASCII letters only. Unlike toLowerCase(), it never changes the length of a string and does not convert the
 * Kelvin sign to `k`.
 */
export const lowerCaseAscii = (text: string): string =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

export const maxLengthOf = (endings: Iterable<string>): number =>
  Math.max(0, ...Array.from(endings, (ending) => ending.length))
