import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure } from '../../failure.ts'

/** How far the mirror has read the changes feed. */
export type MirrorState = {
  application_id: string
  /** null until the first page is processed. */
  cursor: string | null
  /** Incremented when the feed has to be read from its beginning. */
  round: number
  /** Whether resources that this round does not list are to be deleted at its end. */
  sweeping: boolean
}

/** Where a build or release is in the mirror. */
export type Entry = {
  /** Relative paths. While it is moved, the one before and the one after. */
  paths: string[]
  /** Verified checksums by file ID; null if the server did not know one yet. */
  files: Record<string, string | null>
  round: number
}

export type Noun = 'builds' | 'releases'

const internal = '.quayside-mirror'

/**
 * The folder of a mirror. Each step is atomic and can be repeated, so that a killed run leaves nothing that the next
 * one does not finish.
 */
export class MirrorFolder {
  readonly root: string

  constructor(root: string) {
    this.root = root
  }

  path = (...parts: string[]): string => join(this.root, ...parts)

  /** Returns the path of a file that must not be visible yet, relative to the root. */
  staging = (...parts: string[]): string => join(internal, 'staging', ...parts)

  async loadState(): Promise<MirrorState | undefined> {
    return readJson<MirrorState>(this.path(internal, 'state.json'))
  }

  saveState = (state: MirrorState): Promise<void> => writeJson(this.path(internal, 'state.json'), state)

  async loadEntry(noun: Noun, id: string): Promise<Entry | undefined> {
    return readJson<Entry>(this.#entryPath(noun, id))
  }

  saveEntry = (noun: Noun, id: string, entry: Entry): Promise<void> =>
    writeJson(this.#entryPath(noun, id), entry)

  /** Deletes everything at the paths of an entry, then the entry. */
  async remove(noun: Noun, id: string): Promise<boolean> {
    const entry = await this.loadEntry(noun, id)
    await rm(this.path(this.staging(id)), { recursive: true, force: true })
    if (entry === undefined) return false
    for (const path of entry.paths) await this.discard(path)
    await rm(this.#entryPath(noun, id), { force: true })
    return true
  }

  /** Deletes a folder or file. It disappears at once, even if the deletion of its content is interrupted. */
  async discard(path: string): Promise<void> {
    const discarded = this.path(internal, 'discarded', randomUUID())
    await mkdir(dirname(discarded), { recursive: true })
    await rename(this.path(path), discarded).catch(ignoring('ENOENT'))
    await rm(discarded, { recursive: true, force: true })
    await rmdir(dirname(this.path(path))).catch(ignoring('ENOTEMPTY', 'ENOENT', 'EEXIST'))
  }

  /** Deletes what an interrupted deletion has left. */
  async removeDiscarded(): Promise<void> {
    await rm(this.path(internal, 'discarded'), { recursive: true, force: true })
  }

  /** Moves a folder; returns when the move survives a power cut. */
  async move(from: string, to: string): Promise<void> {
    await mkdir(dirname(this.path(to)), { recursive: true })
    await rename(this.path(from), this.path(to))
    await syncFolder(dirname(this.path(to)))
    if (!from.startsWith(internal))
      await rmdir(dirname(this.path(from))).catch(ignoring('ENOTEMPTY', 'ENOENT', 'EEXIST'))
  }

  /** Returns the first of the paths that exists. */
  async firstExisting(paths: string[]): Promise<string | undefined> {
    for (const path of paths)
      if (await stat(this.path(path)).catch(ignoring('ENOENT', 'ENOTDIR'))) return path
    return undefined
  }

  /** Lists the IDs of all entries. */
  async *entries(noun: Noun): AsyncGenerator<string> {
    const root = this.path(internal, noun)
    for (const part of await namesIn(root))
      for (const name of await namesIn(join(root, part)))
        if (name.endsWith('.json')) yield name.slice(0, -'.json'.length)
  }

  // Spread over folders, because a folder with a million files is slow.
  #entryPath(noun: Noun, id: string): string {
    if (!/^[\w-]{1,100}$/.test(id))
      throw new Failure('failed', `The server sent an invalid ID: ${JSON.stringify(id)}.`)
    return this.path(internal, noun, id.slice(0, 2), `${id}.json`)
  }
}

/** Creates the folder and prevents a second mirror from using it until the process ends. */
export async function openMirrorFolder(path: string): Promise<{ folder: MirrorFolder; release: () => void }> {
  await mkdir(join(path, internal), { recursive: true })
  const root = await realpath(path)
  const name = `quayside-mirror-${createHash('sha256').update(root).digest('hex').slice(0, 24)}`
  // A socket disappears with its process, unlike a lock file. In the folder its path could be too long.
  const address = tmpdir().startsWith('/') ? join(tmpdir(), `${name}.sock`) : `\\\\.\\pipe\\${name}`
  const server = createServer((socket) => socket.destroy())
  for (let attempt = 0; ; attempt++) {
    server.listen(address)
    try {
      await once(server, 'listening')
      break
    } catch (error) {
      if (!isErrno(error, 'EADDRINUSE') || attempt === 3 || (await isListening(address)))
        throw new Failure('failed', `Another \`quayside mirror\` is using ${path}. Stop it first.`, {
          cause: error,
        })
      await rm(address, { force: true })
    }
  }
  server.unref()
  return { folder: new MirrorFolder(root), release: () => server.close() }
}

async function isListening(address: string): Promise<boolean> {
  const socket = connect(address)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Replaces a JSON file atomically; returns when it survives a power cut. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}`
  try {
    await writeFile(temporary, `${JSON.stringify(value, null, 2)}\n`, { flush: true })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T
  } catch (error) {
    if (isErrno(error, 'ENOENT') || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Makes new names in a folder survive a power cut. Windows cannot open folders and does not need it. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path).catch(ignoring('EISDIR', 'EPERM', 'EACCES', 'ENOENT'))
  await handle?.sync().catch(ignoring('EPERM', 'EINVAL'))
  await handle?.close()
}

export const namesIn = async (path: string): Promise<string[]> =>
  (await readdir(path).catch(ignoring('ENOENT'))) ?? []

const isErrno = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/** Returns an error handler that ignores these codes. */
export const ignoring =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!isErrno(error, ...codes)) throw error
  }
