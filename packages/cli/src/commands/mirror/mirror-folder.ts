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
import { cannotWrite } from '../../files/file-failure.ts'

/** The position of the mirror in the changes feed. */
export type MirrorState = {
  application_id: string
  /** Cursor after the last processed page, or null until the first page is processed. */
  cursor: string | null
  /**
   * Identifies the current pass through the feed. A new pass starts whenever the feed must be read from the beginning.
   */
  round: number
  /** Whether the resources that the current pass does not list are deleted when it completes. */
  sweeping: boolean
}

/** The record of a build or release in the mirror. */
export type Entry = {
  /** Paths relative to the mirror folder. During a move, both the old path and the new path are listed. */
  paths: string[]
  /** Verified checksums by file ID, or null if the server had not computed the checksum yet. */
  files: Record<string, string | null>
  round: number
}

export type Noun = 'builds' | 'releases'

const internal = '.quayside-mirror'

/**
 * The mirror folder. Each step is atomic and idempotent, so that the next run can complete the work of a run that was
 * killed.
 */
export class MirrorFolder {
  readonly root: string
  #lastChange: Promise<unknown> = Promise.resolve()

  constructor(root: string) {
    this.root = root
  }

  path = (...parts: string[]): string => join(this.root, ...parts)

  /** Returns the path, relative to the mirror folder, for a file or folder that is not complete yet. */
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

  /** Deletes everything at the paths of an entry, then the entry itself. */
  async remove(noun: Noun, id: string): Promise<boolean> {
    const entry = await this.loadEntry(noun, id)
    await rm(this.path(this.staging(id)), { recursive: true, force: true })
    if (entry === undefined) return false
    for (const path of entry.paths) await this.discard(path)
    await rm(this.#entryPath(noun, id), { force: true })
    return true
  }

  /** Renames a file or folder before deleting it, so that an interrupted deletion leaves nothing at `path`. */
  async discard(path: string): Promise<void> {
    const discarded = this.path(internal, 'discarded', randomUUID())
    await this.#exclusively(async () => {
      await mkdir(dirname(discarded), { recursive: true })
      await rename(this.path(path), discarded).catch(ignoring('ENOENT'))
      await removeIfEmpty(dirname(this.path(path)))
    })
    await rm(discarded, { recursive: true, force: true })
  }

  /** Deletes the files and folders left over from interrupted deletions. */
  async removeDiscarded(): Promise<void> {
    await rm(this.path(internal, 'discarded'), { recursive: true, force: true })
  }

  /** Moves a folder. The move is durable when the promise resolves. */
  async move(from: string, to: string): Promise<void> {
    await this.#exclusively(async () => {
      await mkdir(dirname(this.path(to)), { recursive: true })
      await rename(this.path(from), this.path(to))
      if (!from.startsWith(internal)) await removeIfEmpty(dirname(this.path(from)))
    })
    await syncFolder(dirname(this.path(to)))
  }

  /** Runs the changes one after another, because one may remove an empty folder to which another is about to move. */
  #exclusively(change: () => Promise<void>): Promise<void> {
    const done = this.#lastChange.then(change)
    this.#lastChange = done.catch(() => {})
    return done
  }

  /** Returns the first path that exists, or undefined if none does. */
  async firstExisting(paths: string[]): Promise<string | undefined> {
    for (const path of paths)
      if (await stat(this.path(path)).catch(ignoring('ENOENT', 'ENOTDIR'))) return path
    return undefined
  }

  /** Yields the IDs of all entries. */
  async *entries(noun: Noun): AsyncGenerator<string> {
    const root = this.path(internal, noun)
    for (const part of await namesIn(root))
      for (const name of await namesIn(join(root, part)))
        if (name.endsWith('.json')) yield name.slice(0, -'.json'.length)
  }

  // Entries are spread over several folders, because accessing a folder with a million files is slow.
  #entryPath(noun: Noun, id: string): string {
    if (!/^[\w-]{1,100}$/.test(id))
      throw new Failure(
        'failed',
        `The server returned an invalid ID: ${JSON.stringify(id)}. Check the server URL.`,
      )
    return this.path(internal, noun, id.slice(0, 2), `${id}.json`)
  }
}

/** Creates the folder and locks it. The lock is released by `release` or when the process ends. */
export async function openMirrorFolder(path: string): Promise<{ folder: MirrorFolder; release: () => void }> {
  await mkdir(join(path, internal), { recursive: true }).catch((error: unknown) => {
    throw cannotWrite(path, error)
  })
  const root = await realpath(path)
  const inUse = (cause: unknown) =>
    new Failure('failed', `Another \`quayside mirror\` is using ${path}. Stop it first.`, { cause })
  const release = await lockWithSocket(root, inUse)
  return { folder: new MirrorFolder(root), release }
}

/**
 * Locks the folder with a socket because, unlike a lock file, a socket is released when its process ends. The socket is
 * in the folder itself, so that processes with different temporary folders share it. The temporary folder is used only
 * if the file system does not support sockets or the path is too long for one.
 */
async function lockWithSocket(root: string, inUse: (cause: unknown) => Failure): Promise<() => void> {
  const name = `quayside-mirror-${createHash('sha256').update(root).digest('hex').slice(0, 24)}`
  if (process.platform === 'win32') return listenOn(`\\\\.\\pipe\\${name}`, inUse)
  const inTemporaryFolder = join(tmpdir(), `${name}.sock`)
  const handle = await open(join(root, internal))
  try {
    const direct = join(root, internal, 'lock.sock')
    // On Linux, an open folder also has a short path in /proc.
    const short = `/proc/self/fd/${handle.fd}/lock.sock`
    const inFolder = Buffer.byteLength(direct) <= maxSocketPathBytes ? direct : short
    return await listenOn(inFolder, inUse).catch((error: unknown) => {
      if (error instanceof Failure) throw error
      return listenOn(inTemporaryFolder, inUse)
    })
  } finally {
    await handle.close()
  }
}

// Including the terminating NUL, macOS allows 104 bytes and Linux allows 108.
const maxSocketPathBytes = 103

async function listenOn(address: string, inUse: (cause: unknown) => Failure): Promise<() => void> {
  const server = createServer((socket) => socket.destroy())
  for (let attempt = 0; ; attempt++) {
    server.listen(address)
    try {
      await once(server, 'listening')
      break
    } catch (error) {
      if (!isErrno(error, 'EADDRINUSE')) throw error
      if (attempt === 3 || (await isListening(address))) throw inUse(error)
      await rm(address, { force: true })
    }
  }
  server.unref()
  return () => server.close()
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

/** Replaces a JSON file atomically. The file is durable when the promise resolves. */
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

/** Syncs a folder so that new entries in it are durable. Does nothing on Windows, where folders cannot be opened. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path).catch(ignoring('EISDIR', 'EPERM', 'EACCES', 'ENOENT'))
  await handle?.sync().catch(ignoring('EPERM', 'EINVAL'))
  await handle?.close()
}

const removeIfEmpty = (path: string): Promise<void> =>
  rmdir(path).catch(ignoring('ENOTEMPTY', 'ENOENT', 'EEXIST'))

export const namesIn = async (path: string): Promise<string[]> =>
  (await readdir(path).catch(ignoring('ENOENT'))) ?? []

const isErrno = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/** Returns an error handler that ignores errors with these codes and rethrows all others. */
export const ignoring =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!isErrno(error, ...codes)) throw error
  }
