import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, win32 } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { GetBuildDownloadAnswer } from '@quayside/sdk'
import type { Command } from 'commander'
import { requireApplicationId } from '../../application-of.ts'
import type { CommandContext, World } from '../../command-context.ts'
import { Failure, foundOr } from '../../failure.ts'
import { factsText } from '../../output/table.ts'
import { printable, sizeText } from '../../output/units.ts'
import type { Checksum } from '../../transfer/part-file.ts'
import { receiveFile } from '../../transfer/receive-file.ts'
import { addVerb } from '../../verb.ts'

type Options = { output?: string; force?: boolean; stream?: string; platform?: string }
type Link = GetBuildDownloadAnswer['primary_file']
type Received = {
  path: string
  size_bytes: number
  checksum_sha256: string | null
  checksum_md5: string | null
  received_bytes: number
}

export function addDownload(parent: Command, world: World): void {
  addVerb<Options>(parent, world, {
    usage: 'download <build>',
    summary: 'download the files of a build (by id, or `latest`) and check them; goes on after a break',
    example: 'quayside download latest --stream nightlies --output dist/',
    options: (command) =>
      command
        .option('-o, --output <path>', 'file or folder to write to (else: here, under its own name)')
        .option('-f, --force', 'replace a file that is there')
        .option('--stream <name>', 'for `latest`: the newest of this stream')
        .option('--platform <slug>', 'for `latest`: the newest for this platform'),
    run: (context, [build = ''], options) => download(context, build, options),
  })
}

async function download(context: CommandContext, wanted: string, options: Options): Promise<void> {
  const application_id = await requireApplicationId(context)
  const client = context.client()
  const build_id = wanted === 'latest' ? await latestBuild(context, application_id, options) : wanted
  const links = async () => {
    const answer = await foundOr(
      client.getBuildDownload({ application_id, build_id }, { signal: context.signal }),
      `There is no build ${build_id} here that this key reaches: see \`quayside builds list\`.`,
    )
    return [answer.primary_file, ...(answer.expansion_files ?? [])]
  }
  let current = await links()
  const files: Received[] = []
  for (const [index, link] of current.entries()) {
    const again = async () => {
      current = await links()
      return current[index] ?? link
    }
    const target = await targetOf(link, current.length, options.output, context.world.cwd)
    const received = await receive(context, {
      link,
      target,
      build_id,
      url: async (fresh) => (fresh ? await again() : (current[index] ?? link)).temp_url,
      checksumNow: async () => checksumOf(await again()),
      force: options.force === true,
    })
    const known = current[index] ?? link
    files.push({
      path: target,
      size_bytes: link.size_bytes,
      checksum_sha256: known.checksum_sha256 ?? received.sha256,
      checksum_md5: known.checksum_md5,
      received_bytes: received.receivedBytes,
    })
  }
  context.output.result({ build_id, files }, () =>
    files
      .map((file) =>
        factsText([
          ['File', file.path],
          ['Size', sizeText(file.size_bytes)],
          ['SHA-256', file.checksum_sha256],
          ['MD5', file.checksum_md5],
        ]),
      )
      .join('\n\n'),
  )
}

async function latestBuild(
  context: CommandContext,
  application_id: string,
  options: Options,
): Promise<string> {
  const { data } = await context.client().listBuilds(
    {
      application_id,
      sort_by: 'created_at',
      sort: 'desc',
      per_page: 1,
      ...(options.stream === undefined ? {} : { streams: options.stream }),
      ...(options.platform === undefined ? {} : { platforms: options.platform }),
    },
    { signal: context.signal },
  )
  if (data[0]) return data[0].id
  throw new Failure('failed', 'There is no such build yet: see `quayside builds list`.')
}

type Wanted = {
  link: Link
  target: string
  build_id: string
  url: (fresh: boolean) => Promise<string>
  checksumNow: () => Promise<Checksum | undefined>
  force: boolean
}

async function receive(
  context: CommandContext,
  { link, target, build_id, url, checksumNow, force }: Wanted,
): Promise<{ receivedBytes: number; sha256: string | null }> {
  const checksum = checksumOf(link)
  const there = await stat(target).catch(() => undefined)
  if (
    there &&
    checksum &&
    there.size === link.size_bytes &&
    (await fileHash(target, checksum)) === checksum.hex
  ) {
    context.output.note(`${target} is there already, with the same bytes.`)
    return { receivedBytes: 0, sha256: null }
  }
  if (there && !force) {
    throw new Failure(
      'failed',
      `${target} is there already with other bytes: add --force, or another --output.`,
    )
  }
  const { receivedBytes, checksum: received } = await receiveFile({
    filename: basename(target),
    sizeBytes: link.size_bytes,
    checksum,
    checksumNow,
    target,
    partPath: join(dirname(target), `${basename(target)}.${build_id}.part`),
    url,
    agents: context.agents,
    output: context.output,
    signal: context.signal,
  })
  return { receivedBytes, sha256: received.algorithm === 'sha256' ? received.hex : null }
}

/** The path to write to; the name comes from a server and must not lead out of the folder. */
async function targetOf(link: Link, count: number, output: string | undefined, cwd: string): Promise<string> {
  const name = printable(win32.basename(basename(link.filename))).replaceAll(/[\n\t]/g, '')
  const safe = ['', '.', '..'].includes(name) ? 'build' : name
  if (output === undefined) return join(cwd, safe)
  const path = resolve(cwd, output)
  const isFolder = await stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  )
  if (isFolder) return join(path, safe)
  if (count > 1 || /[/\\]$/.test(output)) {
    throw new Failure('failed', `${output} is not a folder: create it first.`)
  }
  return path
}

function checksumOf(link: Link): Checksum | undefined {
  if (link.checksum_sha256) return { algorithm: 'sha256', hex: link.checksum_sha256 }
  return link.checksum_md5 ? { algorithm: 'md5', hex: link.checksum_md5 } : undefined
}

async function fileHash(path: string, { algorithm }: Checksum): Promise<string> {
  const hash = createHash(algorithm)
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash)
  return hash.digest('hex')
}
