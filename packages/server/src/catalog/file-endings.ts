/**
 * What follows each dot of a file name, the longest first and in lower case: `app.tar.GZ` has `tar.gz` and `gz`. A
 * name that starts with a dot has no extension there. Looks at the last `longest` characters only.
 */
export function fileExtensions(filename: string, longest: number): string[] {
  const firstDot = Math.max(1, filename.length - longest - 1)
  const extensions: string[] = []
  for (let dot = filename.indexOf('.', firstDot); dot !== -1; dot = filename.indexOf('.', dot + 1)) {
    extensions.push(lowerCaseAscii(filename.slice(dot + 1)))
  }
  return extensions
}

/** Unlike toLowerCase it keeps the length and turns no foreign letter (the Kelvin sign) into an ASCII one. */
export const lowerCaseAscii = (text: string): string =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

export const longestOf = (endings: Iterable<string>): number =>
  Math.max(0, ...Array.from(endings, (ending) => ending.length))
