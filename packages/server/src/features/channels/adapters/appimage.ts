import type { Adapter, Entry, Feed, Missing, PublishedFile } from './adapter.ts'
import { findCompanion, isFor, pathOf, runsOn, withEnding, type Processor } from './published-files.ts'

const control = /^latest-([A-Za-z0-9_]+)\.AppImage(\.zsync)?$/
const processors: Record<string, Processor> = {
  x86_64: 'x64',
  amd64: 'x64',
  i386: 'x86',
  i686: 'x86',
  aarch64: 'arm64',
  arm64: 'arm64',
  armhf: 'armv7',
  armv7l: 'armv7',
}

const listImages = (entry: Entry): PublishedFile[] =>
  withEnding(entry, ['.appimage']).filter((file) => file.kind === 'file' && isFor('linux', file))

/** The URL in an AppImage never changes, so `latest-x86_64.AppImage.zsync` always leads to the newest version. */
export const appimage: Adapter = {
  name: 'AppImage',
  rollout: 'complete_only',
  system: 'linux',
  paths: ['latest-x86_64.AppImage.zsync', 'latest-x86_64.AppImage'],
  listMissing(entry) {
    const images = listImages(entry)
    if (images.length === 0) return [{ message: 'Upload a build for Linux as .AppImage.' }]
    return images
      .filter((file) => findCompanion(entry, file, '.zsync') === undefined)
      .map(({ filename, build }): Missing => ({
        message: `Add ${filename}.zsync, which \`appimagetool -u\` or \`zsyncmake\` writes.`,
        build_id: build.id,
        filename: `${filename}.zsync`,
      }))
  },
  async answer({ path }, feed) {
    const [, arch = '', zsync] = control.exec(path[0] ?? '') ?? []
    const processor = processors[arch]
    if (processor === undefined || path.length !== 1) return undefined
    for (const entry of feed.offers()) {
      const image = listImages(entry).find((file) => runsOn(processor, file))
      if (image === undefined) continue
      if (zsync === undefined) return { file: image }
      const companion = findCompanion(entry, image, '.zsync')
      const body = companion && (await controlFile(entry, image, companion, feed))
      if (body !== undefined) return { contentType: 'application/x-zsync', body }
    }
    return undefined
  },
}

/** Returns the control file with the path of the image. No signature covers its header. */
async function controlFile(
  entry: Entry,
  image: PublishedFile,
  companion: PublishedFile,
  feed: Feed,
): Promise<Buffer | undefined> {
  const bytes = await feed.read(companion)
  const end = bytes?.indexOf('\n\n') ?? -1
  if (bytes === undefined || end < 0) return undefined
  const lines = bytes.toString('latin1', 0, end).split('\n')
  const header = lines.filter((line) => !/^(?:URL|Z-URL):/i.test(line))
  return Buffer.concat([
    Buffer.from([...header, `URL: ${pathOf(entry, image)}`].join('\n'), 'latin1'),
    bytes.subarray(end),
  ])
}
