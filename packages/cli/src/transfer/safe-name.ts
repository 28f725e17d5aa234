import { basename, win32 } from 'node:path'
import { stripControlCharacters } from '../output/format.ts'

/** Returns the last segment of an untrusted file name, so that it cannot point outside its folder. */
export function safeFileName(filename: string): string {
  const name = stripControlCharacters(win32.basename(basename(filename))).replaceAll(/[\n\t]/g, '')
  return ['', '.', '..'].includes(name) ? 'build' : name
}

/** Converts untrusted text, such as a stream name, to a folder name that is valid on any operating system. */
export function safeFolderName(text: string): string {
  const name = stripControlCharacters(text)
    .replaceAll(/[/\\:*?"<>|\s]+/g, '_')
    .replace(/^\.+/, '_')
    .replace(/\.+$/, '_')
  // 60 UTF-16 code units stay below the file name limit of 255 bytes in any script. `slice` may split a surrogate
  // pair, and `toWellFormed` replaces the remaining half.
  return name === '' ? '_' : name.slice(0, 60).toWellFormed()
}
