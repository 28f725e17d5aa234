import { open } from 'node:fs/promises'
import { choosePlatform, detectKind, type FileKind } from '@quayside/sdk/platform'
import { Failure } from '../failure.ts'

/**
 * Chooses a platform for a file by its name and first bytes. `attached` lists the application's platforms, or is
 * undefined if they are unknown. Throws if no platform accepts the file or if the choice is ambiguous.
 */
export async function detectPlatform(
  file: { path: string; filename: string },
  attached: readonly string[] | undefined,
): Promise<string> {
  const { filename, path } = file
  const choice = choosePlatform(filename, await readFileKind(path), attached)
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

async function readFileKind(path: string): Promise<FileKind> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0)
    return detectKind(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}
