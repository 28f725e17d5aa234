import { mkdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { cannotWrite } from '../../files/file-failure.ts'
import { formatFields, formatSize } from '../../output/format.ts'
import type { Reused } from '../../reuse/reuse-file.ts'
import { downloadFile, downloadToOutput } from '../../transfer/download-file.ts'
import { checksumOf, fileChecksumWithProgress } from '../../transfer/file-checksum.ts'
import type { Checksum } from '../../transfer/partial-file.ts'
import { safeFileName } from '../../transfer/safe-name.ts'
import { prepareReuse } from './remote/prepare-reuse.ts'
import type { Reuse } from './remote/prepare-reuse.ts'
import { openRemoteBuild } from './remote/remote-build.ts'
import type { FileLink as Link, SelectionOptions } from './remote/remote-build.ts'

export type DownloadOptions = SelectionOptions & { output?: string; force?: boolean; reuse?: string }

type DownloadedFile = {
  path: string
  size_bytes: number
  checksum_sha256: string | null
  checksum_md5: string | null
  received_bytes: number
  reused_bytes: number
  method: Method
}

/** How a file was downloaded: not at all, as a whole, or only what a local file lacks. */
type Method = 'none' | 'file' | Reused['method']

/** Downloads the files of a build to a folder, or its file to standard output with `--output -`. */
export async function runDownload(
  context: CommandContext,
  selected: string,
  options: DownloadOptions,
): Promise<void> {
  if (options.output === '-' && context.settings.json)
    throw new Failure('usage', 'Use either --json or `--output -`, because both write to standard output.')
  if (options.output === '-' && options.reuse !== undefined)
    throw new Failure('usage', '--reuse needs a file, so it cannot be used with `--output -`.')
  const remote = await openRemoteBuild(context, selected, options)
  const { id: build_id, fetchLinks } = remote
  let links = await fetchLinks()
  const download = (index: number, link: Link) => ({
    url: async (fresh: boolean) => {
      if (fresh) links = await fetchLinks()
      return (links[index] ?? link).temp_url
    },
    fetchChecksum: async () => {
      links = await fetchLinks()
      return checksumOf(links[index] ?? link)
    },
  })
  if (options.output === '-') {
    await printFile(context, links, download)
    return
  }
  const reuse = await prepareReuse(context, { remote, path: options.reuse })
  const files: DownloadedFile[] = []
  for (const [index, link] of links.entries()) {
    const target = await chooseTarget(link, links.length, options.output, context.runtime.cwd)
    const { receivedBytes, reusedBytes, sha256, method } = await downloadLink(context, {
      link,
      target,
      build_id,
      ...download(index, link),
      force: options.force === true,
      reuse: reuse?.(index),
    })
    const current = links[index] ?? link
    files.push({
      path: target,
      size_bytes: link.size_bytes,
      checksum_sha256: current.checksum_sha256 ?? sha256,
      checksum_md5: current.checksum_md5,
      received_bytes: receivedBytes,
      reused_bytes: reusedBytes,
      method,
    })
  }
  context.output.result({ build_id, files }, () => files.map(formatFile).join('\n\n'))
}

type RenewableLink = Pick<LinkDownload, 'url' | 'fetchChecksum'>

/** Writes the file of a build to standard output. */
async function printFile(
  { output, runtime, agents, signal }: CommandContext,
  links: Link[],
  renewable: (index: number, link: Link) => RenewableLink,
): Promise<void> {
  const [link, ...others] = links
  if (link === undefined || others.length > 0)
    throw new Failure(
      'usage',
      `The build has ${links.length} files, but \`--output -\` writes one. Use the path of a folder that ends with a slash.`,
    )
  const { size_bytes: sizeBytes } = link
  const filename = safeFileName(link.filename)
  await downloadToOutput(
    { filename, sizeBytes, checksum: checksumOf(link), ...renewable(0, link), agents, output, signal },
    runtime.stdout,
  )
}

function formatFile(file: DownloadedFile): string {
  return formatFields([
    ['File', file.path],
    ['Size', formatSize(file.size_bytes)],
    ['SHA-256', file.checksum_sha256],
    ['MD5', file.checksum_md5],
  ])
}

type LinkDownload = {
  link: Link
  target: string
  build_id: string
  url: (fresh: boolean) => Promise<string>
  fetchChecksum: () => Promise<Checksum | undefined>
  force: boolean
  reuse: Reuse | undefined
}

async function downloadLink(
  context: CommandContext,
  { link, target, build_id, url, fetchChecksum, force, reuse }: LinkDownload,
): Promise<{ receivedBytes: number; reusedBytes: number; sha256: string | null; method: Method }> {
  const checksum = checksumOf(link)
  const existing = await stat(target).catch(() => undefined)
  if (
    existing &&
    checksum &&
    existing.size === link.size_bytes &&
    (await fileChecksumWithProgress(context, target, checksum.algorithm)) === checksum.hex
  ) {
    context.output.note(`${target} already exists with the same content.`)
    return { receivedBytes: 0, reusedBytes: 0, sha256: null, method: 'none' }
  }
  if (existing && !force) {
    throw new Failure(
      'failed',
      `${target} already exists with different content. Use --force to overwrite it or --output to choose another path.`,
    )
  }
  const filename = basename(target)
  const partialPath = join(dirname(target), `${filename}.${build_id}.part`)
  const reused = await reuse?.({ filename, sizeBytes: link.size_bytes, checksum, target, partialPath, url })
  if (reused !== undefined)
    return { ...reused, sha256: checksum?.algorithm === 'sha256' ? checksum.hex : null }
  const { receivedBytes, checksum: received } = await downloadFile({
    filename,
    sizeBytes: link.size_bytes,
    checksum,
    fetchChecksum,
    target,
    partialPath,
    url,
    agents: context.agents,
    output: context.output,
    signal: context.signal,
  })
  const sha256 = received.algorithm === 'sha256' ? received.hex : null
  return { receivedBytes, reusedBytes: 0, sha256, method: 'file' }
}

/** Returns the path of the file to write. Throws if `output` must be an existing folder but is not. */
async function chooseTarget(
  link: Link,
  count: number,
  output: string | undefined,
  cwd: string,
): Promise<string> {
  const safeName = safeFileName(link.filename)
  if (output === undefined) return join(cwd, safeName)
  const path = resolve(cwd, output)
  const isFolder = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  )
  if (isFolder) return join(path, safeName)
  if (/[/\\]$/.test(output)) {
    await mkdir(path, { recursive: true }).catch((error: unknown) => {
      throw cannotWrite(path, error)
    })
    return join(path, safeName)
  }
  if (count > 1)
    throw new Failure(
      'failed',
      `${output} is not a folder, and the build has ${count} files. End the path with a slash to create a folder.`,
    )
  return path
}
