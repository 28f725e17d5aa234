import { chmod, lstat, mkdir, rename, rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../failure.ts'
import { cannotWrite } from '../files/file-failure.ts'
import type { ArchiveEntry } from './archive-entry.ts'
import { parentsOf } from './archive-entry.ts'
import type { NeededEntry } from './compare-folder.ts'
import { recordOf } from './folder-state.ts'
import type { FileRecord } from './folder-state.ts'
import type { LocalItem } from './list-folder.ts'

type Staged = NeededEntry & { stagedPath: string }

/**
 * Moves complete files from the staging area to their places. A file that contains chunks of later entries is replaced only
 * after they have been read.
 */
export class Placer {
  readonly records: Map<string, FileRecord>
  readonly #folder: string
  readonly #isWindows: boolean
  readonly #isFree: (path: string) => boolean
  readonly #folders = new Set<string>()
  readonly #removed = new Set<LocalItem>()
  #waiting: Staged[] = []

  constructor(options: {
    folder: string
    isWindows: boolean
    /** Returns whether the bytes of a local file are no longer needed. */
    isFree: (path: string) => boolean
    records: Map<string, FileRecord>
  }) {
    this.#folder = options.folder
    this.#isWindows = options.isWindows
    this.#isFree = options.isFree
    this.records = options.records
  }

  /** Moves a staged file to its place, or later if what it replaces is still needed. */
  async place(needed: NeededEntry, stagedPath: string): Promise<void> {
    const staged = { ...needed, stagedPath }
    if (this.#canPlace(staged)) await this.#place(staged)
    else this.#waiting.push(staged)
  }

  /** Moves the staged files whose places have become free. */
  async placeWaiting(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    for (const staged of waiting)
      if (this.#canPlace(staged)) await this.#place(staged)
      else this.#waiting.push(staged)
  }

  #canPlace({ replaces, blockers }: NeededEntry): boolean {
    const isFree = (item: LocalItem | undefined) =>
      item === undefined || item.kind !== 'file' || this.#isFree(join(this.#folder, item.path))
    return isFree(replaces) && blockers.every(isFree)
  }

  async #place({ entry, blockers, stagedPath }: Staged): Promise<void> {
    const target = await this.#prepare(entry, blockers)
    await this.#writing(target, () => rename(stagedPath, target))
    if (entry.kind !== 'file') return
    await this.fixMode(entry, entry.path)
    this.records.set(entry.path, recordOf(await lstat(target, { bigint: true }), entry.crc32))
  }

  /** Creates a folder of the build. */
  async createFolder({ entry, blockers }: NeededEntry): Promise<void> {
    await this.#prepare(entry, blockers)
    await this.#ensureFolder(entry.path)
  }

  /** Removes what is in the way of an entry, creates the folders above it, and returns its absolute path. */
  async #prepare({ path }: ArchiveEntry, blockers: LocalItem[]): Promise<string> {
    for (const item of blockers) await this.remove(item)
    for (const parent of parentsOf(path)) await this.#ensureFolder(parent)
    return join(this.#folder, path)
  }

  /** Never creates a folder through a symbolic link. */
  async #ensureFolder(path: string): Promise<void> {
    if (this.#folders.has(path)) return
    const absolute = join(this.#folder, path)
    await this.#writing(absolute, async () => {
      const stats = await lstat(absolute).catch(() => undefined)
      if (stats === undefined) await mkdir(absolute)
      else if (!stats.isDirectory())
        throw new Failure('failed', `${absolute} is not a folder anymore. Rerun the command.`)
    })
    this.#folders.add(path)
  }

  /** Sets the executable bits of a file for everyone who can read it, or removes them. Returns whether they differed. */
  async fixMode({ isExecutable }: ArchiveEntry, path: string): Promise<boolean> {
    if (this.#isWindows) return false
    const absolute = join(this.#folder, path)
    const { mode } = await lstat(absolute)
    if (((mode & 0o100) !== 0) === isExecutable) return false
    const next = isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111
    await this.#writing(absolute, () => chmod(absolute, next & 0o7777))
    return true
  }

  /** Removes a file or link, or a folder if it is empty. */
  async remove(item: LocalItem): Promise<void> {
    if (this.#removed.has(item)) return
    this.#removed.add(item)
    const path = join(this.#folder, item.path)
    try {
      await (item.kind === 'folder' ? rmdir(path) : unlink(path))
      this.#folders.delete(item.path)
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      const isExpected =
        code === 'ENOENT' ||
        code === 'ENOTDIR' ||
        (item.kind === 'folder' && ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(code))
      if (!isExpected) throw cannotWrite(path, error)
    }
  }

  /** Marks a file as moved to another place. */
  markMoved(item: LocalItem): void {
    this.#removed.add(item)
  }

  /** Returns whether a file was removed or moved. */
  isGone(item: LocalItem): boolean {
    return this.#removed.has(item)
  }

  async #writing<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw error instanceof Failure ? error : cannotWrite(dirname(path), error)
    }
  }
}
