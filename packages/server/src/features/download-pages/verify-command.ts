import type { Device } from '../../lib/device.ts'
import { shellQuote } from '../../lib/shell-quote.ts'

/** The characters that end a quoted string in PowerShell: besides the apostrophe, these typographic ones. */
const powerShellQuotes = /['\u2018\u2019\u201a\u201b]/g

/** Returns the text as a string of PowerShell in which nothing is expanded. */
export const powerShellQuote = (text: string): string => `'${text.replaceAll(powerShellQuotes, '$&$&')}'`

/** Returns a file name that does not look like an option. `-` alone would be the standard output. */
const asPath = (name: string): string => (name.startsWith('-') ? `./${name}` : name)

const deviceNames = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** Returns the name under which Windows can save a file. */
function windowsName(filename: string): string {
  const name = filename.replaceAll(/["*/:<>?\\|]/g, '_').replace(/[. ]+$/, '_')
  return deviceNames.test(name) ? `_${name}` : name
}

type Download = { filename: string; sha256: string; url: string }

/**
 * Returns a command for the visitor's computer that downloads a file and compares it with its checksum. If it is
 * interrupted, running it again resumes the download. It fails if the file differs or is incomplete. The result of curl
 * is ignored, because curl fails with status 416 if the file is complete already.
 */
export function downloadCommand(device: Device, { filename, sha256, url }: Download): string {
  if (device === 'windows') {
    const name = powerShellQuote(asPath(windowsName(filename)))
    const isIntact = `(Get-FileHash -LiteralPath ${name}).Hash -eq '${sha256}'`
    return `curl.exe -fL -C - -o ${name} ${powerShellQuote(url)}; if (${isIntact}) { 'OK' } else { throw 'FAILED' }`
  }
  const name = shellQuote(asPath(filename))
  const program = device === 'macos' ? 'shasum -a 256' : 'sha256sum'
  return `curl -fL -C - -o ${name} ${shellQuote(url)}; printf '%s  %s\\n' ${sha256} ${name} | ${program} -c`
}
