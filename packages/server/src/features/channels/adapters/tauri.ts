import type { Adapter, Entry, Feed, Missing, PublishedFile } from './adapter.ts'
import {
  isFor,
  pathOf,
  readCompanion,
  runsOn,
  withEnding,
  type Processor,
  type System,
} from './published-files.ts'
import { json } from './text.ts'

const systems: Record<string, System> = { linux: 'linux', windows: 'windows', darwin: 'macos' }
const processors: Record<string, Processor> = { x86_64: 'x64', i686: 'x86', aarch64: 'arm64', armv7: 'armv7' }

/** The endings by bundle type. The compressed forms are those of Tauri 1, which Tauri 2 writes if asked. */
const bundles: Record<System, Record<string, readonly string[]>> = {
  linux: { appimage: ['.appimage', '.appimage.tar.gz'], deb: ['.deb'], rpm: ['.rpm'] },
  windows: { nsis: ['-setup.exe', '.nsis.zip', '.exe'], msi: ['.msi', '.msi.zip'] },
  macos: { app: ['.app.tar.gz'] },
}
const allEndings = Object.values(bundles).flatMap((each) => Object.values(each).flat())

type Signed = { file: PublishedFile; signature: string }

async function listSigned(
  entry: Entry,
  feed: Pick<Feed, 'read'>,
  { system, processor, bundle }: { system: System; processor: Processor; bundle?: string | undefined },
): Promise<Signed[]> {
  const kinds = bundles[system]
  const endings = bundle === undefined ? Object.values(kinds).flat() : (kinds[bundle] ?? [])
  const found: Signed[] = []
  for (const file of withEnding(entry, endings)) {
    if (!isFor(system, file) || !runsOn(processor, file)) continue
    const signature = (await readCompanion(entry, file, '.sig', feed))?.trim()
    if (signature !== undefined && /^[A-Za-z0-9+/=\s]+$/.test(signature)) found.push({ file, signature })
  }
  return found
}

export const tauri: Adapter = {
  name: 'Tauri',
  rollout: 'client_id',
  paths: ['{{target}}/{{arch}}/{{current_version}}/{{bundle_type}}', 'latest.json'],
  readClient: ([system, arch, version]) =>
    version === undefined ? {} : { target: `${system}-${arch}`, version },
  listMissing(entry) {
    const files = withEnding(entry, allEndings).filter((file) =>
      (['windows', 'macos', 'linux'] as const).some((system) => isFor(system, file)),
    )
    if (files.length === 0)
      return [
        {
          message:
            'Upload a bundle: .AppImage, .deb, .rpm, -setup.exe, .msi or .app.tar.gz, with its .sig file.',
        },
      ]
    const unsigned = files.filter(
      ({ filename, build }) =>
        !build.files.some((each) => each.filename === `${filename}.sig`) &&
        !entry.files.some((each) => each.filename === `${filename}.sig`),
    )
    return unsigned.map(({ filename, build }): Missing => ({
      message: `Add the signature ${filename}.sig, which \`tauri build\` writes if \`createUpdaterArtifacts\` is set.`,
      build_id: build.id,
      filename: `${filename}.sig`,
    }))
  },
  async answer({ path, base }, feed) {
    if (path.length === 1 && path[0] === 'latest.json') return staticDocument(base, feed)
    if (path.length !== 3 && path.length !== 4) return undefined
    const [target = '', arch = '', current = '', bundleType] = path
    const system = systems[target]
    const processor = processors[arch]
    // The path of a file begins with its version and has three segments as well.
    if (/^\d/.test(target)) return undefined
    // The first of the remaining versions may lack a file for this client.
    if (system === undefined || processor === undefined) return 'no update'
    const bundle = bundleType === undefined || bundleType === 'unknown' ? undefined : bundleType
    for (const entry of feed.offers(current)) {
      if (!feed.isNewer(entry, current)) break
      const [signed] = await listSigned(entry, feed, { system, processor, bundle })
      if (signed !== undefined)
        return json({
          version: entry.version,
          url: `${base}/${pathOf(entry, signed.file)}`,
          signature: signed.signature,
          ...describe(entry),
        })
    }
    return 'no update'
  },
}

const describe = (entry: Entry) => ({
  ...(entry.notes === null ? {} : { notes: entry.notes }),
  pub_date: entry.publishedAt.toISOString(),
})

async function staticDocument(base: string, feed: Feed) {
  for (const entry of feed.offers()) {
    const platforms: Record<string, { url: string; signature: string }> = {}
    for (const [target, system] of Object.entries(systems))
      for (const [arch, processor] of Object.entries(processors))
        for (const bundle of Object.keys(bundles[system])) {
          const [signed] = await listSigned(entry, feed, { system, processor, bundle })
          if (signed === undefined) continue
          const found = { url: `${base}/${pathOf(entry, signed.file)}`, signature: signed.signature }
          platforms[`${target}-${arch}-${bundle}`] = found
          platforms[`${target}-${arch}`] ??= found
        }
    if (Object.keys(platforms).length > 0)
      return json({ version: entry.version, ...describe(entry), platforms })
  }
  return undefined
}
