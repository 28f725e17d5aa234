import { glob } from 'node:fs/promises'
import { posix, relative, resolve, sep } from 'node:path'

const patterns = ['packages/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts']

/** The test files below `root` with one of the wanted texts in their path, all where none is given; sorted. */
export async function selectTests(root: string, wanted: string[]): Promise<string[]> {
  const texts = wanted.map((text) => asPath(relative(root, resolve(root, text))))
  const files: string[] = []
  for await (const path of glob(patterns, { cwd: root, exclude: ['**/node_modules', '**/node_modules/**'] }))
    files.push(asPath(path))
  return files.filter((file) => texts.length === 0 || texts.some((text) => file.includes(text))).toSorted()
}

function asPath(path: string): string {
  return path.replaceAll(sep, posix.sep)
}
