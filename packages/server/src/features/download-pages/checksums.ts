import { symbol } from '../../http/endpoint/symbols.ts'
import type { VisitorText } from '../../http/pages/text/english.ts'
import type { Device } from '../../lib/device.ts'
import { html, type Html } from '../../lib/html.ts'
import { filesOf, type BuildWithFiles } from './build-files.ts'
import { intactOutput, verifyCommand } from './verify-command.ts'

/** Renders the checksums of the files, with commands that compare them; renders nothing until they are computed. */
export function renderChecksums(
  builds: readonly BuildWithFiles[],
  device: Device,
  { verify }: VisitorText,
): Html {
  const files = builds
    .flatMap(filesOf)
    .flatMap(({ filename, checksum_sha256: sha256 }) => (sha256 === null ? [] : [{ filename, sha256 }]))
  if (files.length === 0) return html``
  const hasCommand = device !== 'android' && device !== 'ios'
  return html`<details class="card checksums">
    <summary>${symbol('shield')} ${verify.title}</summary>
    <p>${hasCommand ? verify.byCommand(html`<code>${intactOutput(device)}</code>`) : verify.byChecksum}</p>
    ${files.map(
      ({ filename, sha256 }) =>
        html`<h3>${filename}</h3>
          <pre><code>${sha256}</code></pre>
          ${hasCommand && html`<pre><code>${verifyCommand(device, filename, sha256)}</code></pre>`}`,
    )}
  </details>`
}
