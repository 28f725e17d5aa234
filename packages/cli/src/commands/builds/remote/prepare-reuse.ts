import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CommandContext } from '../../../command-context.ts'
import { cannotRead } from '../../../files/file-failure.ts'
import { formatSize } from '../../../output/format.ts'
import { ReuseError } from '../../../reuse/reuse-context.ts'
import type { ReusedFile } from '../../../reuse/reuse-context.ts'
import { reuseFile } from '../../../reuse/reuse-file.ts'
import type { Reused } from '../../../reuse/reuse-file.ts'
import type { Checksum } from '../../../transfer/partial-file.ts'
import type { RemoteBuild } from './remote-build.ts'

type FileToReuse = Pick<ReusedFile, 'filename' | 'target' | 'partialPath' | 'url'> & {
  sizeBytes: number
  checksum: Checksum | undefined
}

/** Downloads a file by reusing local bytes. Returns undefined if the whole file has to be downloaded. */
export type Reuse = (file: FileToReuse) => Promise<Reused | undefined>

type Options = { remote: RemoteBuild; path: string | undefined }

/**
 * Returns a function that downloads the files of a build, by their position in its links, by reusing the bytes at `path`.
 * Returns undefined without a path, and throws if it does not exist.
 */
export async function prepareReuse(
  context: CommandContext,
  { remote, path }: Options,
): Promise<((index: number) => Reuse) | undefined> {
  if (path === undefined) return undefined
  const reuse = resolve(context.runtime.cwd, path)
  await stat(reuse).catch((error: unknown) => {
    throw cannotRead(reuse, error)
  })
  return (position) => async (file) => {
    try {
      const index = await remote.fetchIndex(position)
      const checksum = file.checksum ?? { algorithm: 'sha256', hex: index.fileSha256 }
      const partialPath = file.partialPath.replace(/\.part$/, '.reuse.part')
      const result = await reuseFile(context, {
        ...file,
        reuse,
        index,
        checksum,
        partialPath,
        findPatch: (from) => remote.findPatch(position, from),
      })
      const { reusedBytes, receivedBytes, method } = result
      const amounts = `${formatSize(reusedBytes)}, downloaded ${formatSize(receivedBytes)}`
      context.output.note(method === 'patch' ? `Applied a patch: reused ${amounts}.` : `Reused ${amounts}.`)
      return result
    } catch (error) {
      if (!(error instanceof ReuseError)) throw error
      context.output.note(`Downloading all of ${file.filename}. ${error.message}`)
      return undefined
    }
  }
}
