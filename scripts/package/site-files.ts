import { cp, mkdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { darkScreen, readNavigation } from '../../packages/server/src/site/user-docs/markdown.ts'

/** The stamps with which scripts/build.ts recognizes changed sources. */
const stamp = 'sources.sha256'

/** Copies what the server serves into `target`: the built console and command line, and the documentation of users. */
export async function copySiteFiles(root: string, target: string): Promise<void> {
  const filter = (path: string) => basename(path) !== stamp
  await cp(join(root, 'packages/web/dist'), join(target, 'console'), { recursive: true, filter })
  await cp(join(root, 'packages/cli/download'), join(target, 'cli'), { recursive: true, filter })
  const docs = join(root, 'docs')
  const pages = readNavigation(await readFile(join(docs, 'README.md'), 'utf8')).flatMap(
    (group) => group.pages,
  )
  const names = ['README.md', ...pages.map(({ file }) => file)]
  const sources = await Promise.all(names.map((file) => readFile(join(docs, file), 'utf8')))
  const pictures = sources.flatMap((source) => source.match(/(?<=\]\()[\w./-]+\.(?:svg|webp)(?=\))/g) ?? [])
  const darkScreens = pictures.flatMap((picture) => darkScreen(picture) ?? [])
  for (const file of new Set([...names, ...pictures, ...darkScreens])) {
    await mkdir(dirname(join(target, 'docs', file)), { recursive: true })
    await cp(join(docs, file), join(target, 'docs', file))
  }
}
