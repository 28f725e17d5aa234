import { choosePlatform, detectKind, type FileKind } from '@quayside/sdk/platform'
import { Failure } from '../failure.ts'
import type { LocalFile, ReadHandle } from '../transfer/local-file.ts'

/**
 * Chooses a platform for a file by its name and first bytes. `attached` lists the application's platforms, or is
 * undefined if they are unknown. Throws if no platform accepts the file or if the choice is ambiguous.
 */
export async function detectPlatform(
  file: Pick<LocalFile, 'filename' | 'handle'>,
  attached: readonly string[] | undefined,
): Promise<string> {
  const { filename, handle } = file
  const choice = choosePlatform(filename, await readFileKind(handle), attached)
  if ('platform' in choice) return choice.platform
  if ('rejected' in choice)
    throw new Failure(
      'failed',
      `None of the application's platforms (${attached?.join(', ')}) accepts ${filename}. ` +
        `Add one with \`quayside platforms add ${choice.rejected[0]}\`.`,
    )
  throw new Failure(
    'usage',
    `${filename} matches several platforms (${choice.ambiguous.join(', ')}). Choose one with --platform.`,
  )
}

async function readFileKind(handle: ReadHandle): Promise<FileKind> {
  const bytes = Buffer.alloc(16)
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0)
  return detectKind(bytes.subarray(0, bytesRead))
}
