import { basename, win32 } from 'node:path'
import { stripControlCharacters } from '../output/format.ts'

/** Returns the last part of an untrusted file name, which must not point outside its folder. */
export function safeFileName(filename: string): string {
  const name = stripControlCharacters(win32.basename(basename(filename))).replaceAll(/[\n\t]/g, '')
  return ['', '.', '..'].includes(name) ? 'build' : name
}

/** Returns untrusted text, such as the name of a stream, as the name of a folder on any operating system. */
export function safeFolderName(text: string): string {
  const name = stripControlCharacters(text)
    .replaceAll(/[/\\:*?"<>|\s]+/g, '_')
    .replace(/^\.+/, '_')
    .replace(/\.+$/, '_')
  // Leaves room below the limit of 255 bytes for names of any script. A cut character is replaced.
  return name === '' ? '_' : name.slice(0, 60).toWellFormed()
}
