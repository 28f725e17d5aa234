import type { Adapter } from './adapter.ts'
import { isFor, pathOf, withEnding, type Processor } from './published-files.ts'
import { answerMac, findMacArchive } from './squirrel.ts'
import { json } from './text.ts'

const processors: Record<string, Processor> = { x64: 'x64', arm64: 'arm64', universal: 'x64' }

export const squirrelMac: Adapter = {
  name: 'Squirrel.Mac',
  rollout: 'client_id',
  system: 'macos',
  paths: ['{arch}/{version}', '{arch}/releases.json'],
  readClient: ([target, version]) => ({ target, ...(version === 'releases.json' ? {} : { version }) }),
  listMissing: (entry) =>
    withEnding(entry, ['.zip']).some((file) => file.kind === 'file' && isFor('macos', file))
      ? []
      : [{ message: 'Upload the signed application for macOS as .zip.' }],
  answer({ path, base }, feed) {
    const [arch = '', current = ''] = path
    const processor = processors[arch]
    if (processor === undefined || path.length !== 2) return undefined
    if (current !== 'releases.json') return answerMac(feed, { current, processor, base })
    const newest = feed.offers().find((entry) => findMacArchive(entry, processor) !== undefined)
    const file = newest && findMacArchive(newest, processor)
    if (newest === undefined || file === undefined) return undefined
    const updateTo = {
      version: newest.version,
      url: `${base}/${pathOf(newest, file)}`,
      name: newest.title,
      notes: newest.notes ?? '',
      pub_date: newest.publishedAt.toISOString(),
    }
    return json({ currentRelease: newest.version, releases: [{ version: newest.version, updateTo }] })
  },
}
