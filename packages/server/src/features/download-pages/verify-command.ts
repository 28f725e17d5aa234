import type { Device } from '../../lib/device.ts'
import { shellQuote } from '../../lib/shell-quote.ts'

/** Returns a command for the visitor's computer that compares a downloaded file with its checksum. */
export function verifyCommand(device: Device, filename: string, sha256: string): string {
  if (device === 'windows')
    return `(Get-FileHash -LiteralPath '${filename.replaceAll("'", "''")}').Hash -eq '${sha256}'`
  const program = device === 'macos' || device === 'ios' ? 'shasum -a 256' : 'sha256sum'
  return `echo ${shellQuote(`${sha256}  ${filename}`)} | ${program} -c`
}

/** Returns what the command prints if the file is intact. */
export const intactOutput = (device: Device): string => (device === 'windows' ? 'True' : 'OK')
