import { symbol } from '../../http/endpoint/symbols.ts'
import type { VisitorText } from '../../http/pages/text/english.ts'
import type { Device } from '../../lib/device.ts'
import { html, type Html } from '../../lib/html.ts'
import type { FileRow } from '../builds/files/file.ts'
import { filesOf, type BuildWithFiles } from './build-files.ts'
import { displaySize } from './choose-file.ts'
import { signatureLine } from './package-facts.ts'
import { downloadCommand } from './verify-command.ts'

/** The commands that download files in a terminal. */
export type Commands = {
  /** Returns the URL of a file for programs; undefined if the visitor may not download it. */
  urlOf: (buildId: string, fileId: string) => string | undefined
  /** What the visitor should know before running a command, such as that it counts as a download. */
  remark?: string
}

type Options = { device: Device; commands: Commands; text: VisitorText }

/** More files are shown with their checksums only, so that pages stay small. */
const maxCommands = 12
/** More files are listed when the visitor opens the list. */
const maxOpenFiles = 3

/** Renders the checksum of each file. On a computer, adds its size, its signature and a command that downloads it. */
export function renderChecksums(builds: readonly BuildWithFiles[], options: Options): Html {
  const { device, text } = options
  const isPhone = device === 'android' || device === 'ios'
  const files = builds.flatMap((of) => filesOf(of).map((file) => ({ of, file })))
  if (isPhone) return renderForPhone(files, text)
  if (files.length === 0) return html``
  const { title, byCommand } = text.verify
  const blocks = files.map((choice, index) => renderFile(choice, options, index < maxCommands))
  const { remark } = options.commands
  return html`<details class="card checksums" ${files.length <= maxOpenFiles && html`open`}>
    <summary>${symbol('shield')} ${title}</summary>
    <p>${byCommand(html`<code>OK</code>`)} ${remark}</p>
    ${blocks}
  </details>`
}

type Choice = { of: BuildWithFiles; file: FileRow }

function renderForPhone(files: readonly Choice[], { verify }: VisitorText): Html {
  const known = files.flatMap(({ file: { filename, checksum_sha256: sha256 } }) =>
    sha256 === null ? [] : [{ filename, sha256 }],
  )
  if (known.length === 0) return html``
  return html`<details class="card checksums">
    <summary>${symbol('shield')} ${verify.phoneTitle}</summary>
    <p>${verify.byChecksum}</p>
    ${known.map(
      ({ filename, sha256 }) =>
        html`<h3>${filename}</h3>
          <pre><code>${sha256}</code></pre>`,
    )}
  </details>`
}

function renderFile({ of, file }: Choice, { device, commands, text }: Options, hasCommand: boolean): Html {
  const { verify } = text
  const { filename, checksum_sha256: sha256 } = file
  // Only primary files are inspected.
  const signature = file.role === 'primary' ? signatureLine(of.build, text) : text.facts.unreadSignature
  const url = hasCommand ? commands.urlOf(of.build.id, file.id) : undefined
  return html`<h3>${filename}</h3>
    <p class="small">${displaySize(file.size_bytes, text)} · ${signature}</p>
    ${sha256 === null ? html`<p class="small">${verify.pending}</p>` : renderLine('SHA-256', sha256)}
    ${
      sha256 !== null &&
      url !== undefined &&
      renderLine(
        device === 'windows' ? 'PowerShell' : verify.terminal,
        downloadCommand(device, { filename, sha256, url }),
      )
    }`
}

const renderLine = (label: string, line: string): Html =>
  html`<p class="line small">${label}</p>
    <pre><code>${line}</code></pre>`
