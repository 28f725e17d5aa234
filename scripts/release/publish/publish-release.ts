import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { provideApplication } from './application.ts'
import { promoteBuilds, uploadArtifacts } from './builds.ts'
import { createCommandLine } from './command-line.ts'
import type { PublishOptions } from './options.ts'
import { provideRelease, publishProductRelease } from './product-release.ts'
import { readReleaseFolder } from './release-folder.ts'
import { createStreams } from './streams.ts'

/**
 * Uploads the folder of a release to a Quayside server with the program of the GitHub action, and promotes and publishes
 * it with the command line of that server. What an earlier run has done is not done again.
 */
export async function publishRelease(
  root: string,
  options: PublishOptions,
  print: (line: string) => void,
): Promise<void> {
  const { folder, stream, application, outputFile } = options
  const release = await readReleaseFolder(folder)
  const { version } = release
  const work = await mkdtemp(join(tmpdir(), 'quayside-publish-'))
  try {
    const commandLine = await createCommandLine(root, work, options)
    await provideApplication(root, application, { commandLine, work })
    await createStreams(commandLine)
    print(`${application} ${version} on ${options.server}`)
    const ids = await uploadArtifacts(commandLine, release, print)
    await promoteBuilds(commandLine, version, { ids, target: stream })
    print(`${ids.length} builds are in the stream ${stream} or a later one.`)
    const id = await provideRelease(commandLine, release, { ids, work })
    if (stream !== 'stable') return print(`Release ${id} is a draft until the builds are stable.`)
    const { short_url: url, expires_at: expiresAt } = await publishProductRelease(commandLine, id)
    print(`Download page: ${url}`)
    if (expiresAt !== null)
      print(`The link expires with the API key at ${expiresAt}. Use a key that does not expire.`)
    if (outputFile !== undefined) await appendFile(outputFile, `download-page=${url}\n`)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}
