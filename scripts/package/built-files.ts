import { cp, mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { buildSite } from '../../packages/server/src/site/user-docs/site.ts'

/** The stamps with which scripts/build.ts recognizes changed sources. */
const stamp = 'sources.sha256'

export const isPublishedFile = (path: string): boolean => basename(path) !== stamp

/**
 * Copies what the server serves and starts into `target`: the built console, command line and programs, and the
 * documentation of users.
 */
export async function copyBuiltFiles(root: string, target: string): Promise<void> {
  const options = { recursive: true, filter: isPublishedFile }
  await cp(join(root, 'packages/web/dist'), join(target, 'console'), options)
  await cp(join(root, 'packages/cli/download'), join(target, 'cli'), options)
  await cp(join(root, 'packages/server/programs'), join(target, 'programs'), options)
  const site = await buildSite('http://localhost:4400', '')
  for (const file of [...site.keys()].filter((path) => /\.(?:md|svg|webp)$/.test(path))) {
    await mkdir(dirname(join(target, 'docs', file)), { recursive: true })
    await cp(join(root, 'docs', file), join(target, 'docs', file))
  }
}
