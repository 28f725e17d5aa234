import { controlFileOf, layoutFor } from '../zsync/control-file.ts'
import type { Adapter, Entry, Feed, PublishedFile } from './adapter.ts'
import {
  findCompanion,
  isFor,
  pathOf,
  runsOn,
  waitingFor,
  withEnding,
  type Processor,
} from './published-files.ts'

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
    return images.filter((file) => !hasControlFile(entry, file)).map(waitingFor)
  },
  async answer({ path }, feed) {
    const [, arch = '', zsync] = control.exec(path[0] ?? '') ?? []
    const processor = processors[arch]
    if (processor === undefined || path.length !== 1) return undefined
    for (const entry of feed.offers()) {
      const image = listImages(entry).find((file) => runsOn(processor, file))
      if (image === undefined) continue
      if (zsync === undefined) return { file: image }
      const body = await controlFile(entry, image, feed)
      if (body !== undefined) return { contentType: 'application/x-zsync', body }
    }
    return undefined
  },
}

/** The control file can be made once the SHA-1 of the image is known. */
const hasControlFile = (entry: Entry, image: PublishedFile): boolean =>
  image.sha1 !== null || findCompanion(entry, image, '.zsync') !== undefined

/** Returns the control file of the uploader, or makes one. No signature covers it. */
async function controlFile(entry: Entry, image: PublishedFile, feed: Feed): Promise<Buffer | undefined> {
  const companion = findCompanion(entry, image, '.zsync')
  const uploaded = companion && (await uploadedFile(companion, pathOf(entry, image), feed))
  if (uploaded !== undefined || image.sha1 === null) return uploaded
  const sums = await feed.blockSums(image, layoutFor(image.sizeBytes))
  const described = { ...image, sha1: image.sha1, url: pathOf(entry, image) }
  return sums && controlFileOf(described, sums)
}

/** Returns the control file of the uploader with the path of the image. */
async function uploadedFile(companion: PublishedFile, url: string, feed: Feed): Promise<Buffer | undefined> {
  const bytes = await feed.read(companion)
  const end = bytes?.indexOf('\n\n') ?? -1
  if (bytes === undefined || end < 0) return undefined
  const lines = bytes.toString('latin1', 0, end).split('\n')
  const header = lines.filter((line) => !/^(?:URL|Z-URL):/i.test(line))
  return Buffer.concat([Buffer.from([...header, `URL: ${url}`].join('\n'), 'latin1'), bytes.subarray(end)])
}
