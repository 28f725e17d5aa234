import { constants } from 'node:fs'
import { chown, mkdir, open, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from './error.ts'
import { pause, sendSignal } from './processes.ts'
import type { Account, Log } from './types.ts'

/** Free space on a disk. */
type Space = { bytes: number; inodes: number }

type DiskGuardOptions = {
  dataDir: string
  folder: string
  account: Account
  /** How long after the start the reserve is created, so that it does not delay the start. */
  reserveAfterMs: number
  /** Returns the PID of the running server. */
  pid: () => number | undefined
  log: Log
}

const mebibyte = 1024 * 1024
const intervalMs = 250
// Another process that has filled the disk may have ended by then.
const startPauseMs = 500
// A segment of the write-ahead log has 16 MiB. PostgreSQL aborts if it cannot create the next one.
const low = { bytes: 20 * mebibyte, inodes: 16 }
const ample = { bytes: 40 * mebibyte, inodes: 64 }
// Each file also reserves an inode. An attempt to start releases enough for a segment, and leaves the rest for the next
// attempts, because another process that fills the disk may be faster.
const reserve = { files: 16, fileBytes: 4 * mebibyte, filesPerStart: 5 }
/** A smaller disk keeps its space for the data. */
const minFreeToReserveBytes = 192 * mebibyte

const includeLine = `include_if_exists = 'disk-guard.conf'\n`
const settings = { writable: '# Written at startup.\n', readOnly: 'default_transaction_read_only = on\n' }

/**
 * Keeps PostgreSQL running while its disk is full. It makes the database read-only before the space is used up, and keeps
 * a reserve of files that it deletes to give PostgreSQL space for what it writes itself. Statements that write then fail
 * with SQLSTATE 25006. The database accepts writes again as soon as there is space.
 */
export class DiskGuard {
  readonly #options: DiskGuardOptions
  readonly #reserveFolder: string
  readonly #files: { current: string; readOnly: string }
  #isFull = false
  #isStopped = false
  #reserveDueMs = Infinity
  #timer: NodeJS.Timeout | undefined
  #checking: Promise<void> = Promise.resolve()
  #hasFailed = false

  constructor(options: DiskGuardOptions) {
    this.#options = options
    this.#reserveFolder = join(options.dataDir, 'postgres-reserve')
    const current = join(options.folder, 'disk-guard.conf')
    this.#files = { current, readOnly: `${current}.read-only` }
  }

  get isFull(): boolean {
    return this.#isFull
  }

  /** Frees space if the disk is full, and prepares the configuration files. Must be called before the server starts. */
  async prepare(): Promise<void> {
    await this.#releaseForStart()
    await this.withSpace(async () => {
      await this.#writeSettings()
      const path = join(this.#options.folder, 'postgresql.conf')
      const text = await readWithoutLinks(path)
      if (!text.includes(includeLine)) await this.#writeServerFile(path, `${text}\n${includeLine}`)
    })
  }

  /**
   * Runs a step of the start. If it fails on a full disk, repeats it with more of the reserve, because another process
   * may have used up what was freed, and recovery writes back everything that was not yet on disk.
   */
  async withSpace(step: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await step()
      } catch (error) {
        if (!(await this.#releaseForStart())) throw error
      }
      await pause(startPauseMs)
    }
  }

  async start(): Promise<void> {
    this.#reserveDueMs = performance.now() + this.#options.reserveAfterMs
    await this.#check()
    this.#schedule()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#checking
  }

  /** Frees a part of the reserve if the disk is full. Returns whether it has freed some. */
  async #releaseForStart(): Promise<boolean> {
    return isBelow(await this.#free(), low) && (await this.#release(reserve.filesPerStart))
  }

  #schedule(): void {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => {
      this.#checking = this.#check().then(() => this.#schedule())
    }, intervalMs).unref()
  }

  async #check(): Promise<void> {
    try {
      await this.#adapt(await this.#free())
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed)
        this.#options.log.warn({ err: error }, 'the database cannot be protected from a full disk')
      this.#hasFailed = true
    }
  }

  async #adapt(free: Space): Promise<void> {
    if (isBelow(free, low)) {
      if (!this.#isFull) await this.#setReadOnly(true)
      // Another process that fills the disk would use up all that is released at once, and PostgreSQL would abort.
      await this.#release(1)
    } else if (this.#isFull) {
      if (!isBelow(free, ample)) await this.#setReadOnly(false)
    } else if (free.bytes >= minFreeToReserveBytes && performance.now() >= this.#reserveDueMs) {
      await this.#fillReserve()
    }
  }

  async #free(): Promise<Space> {
    const { bavail, bsize, files, ffree } = await statfs(this.#options.folder)
    // File systems that create inodes on demand, such as Btrfs, report none.
    return { bytes: bavail * bsize, inodes: files === 0 ? Infinity : ffree }
  }

  async #setReadOnly(isReadOnly: boolean): Promise<void> {
    const { pid, log } = this.#options
    const { current, readOnly } = this.#files
    // Renaming needs no space.
    await (isReadOnly ? rename(readOnly, current) : this.#writeSettings())
    this.#isFull = isReadOnly
    const running = pid()
    if (running !== undefined) sendSignal(running, 'SIGHUP')
    if (isReadOnly)
      log.error(
        { alarm: 'disk' },
        'the disk of the database is full: the database is read-only until space is freed',
      )
    else log.info({}, 'the disk of the database has space again: the database accepts writes')
  }

  /**
   * Deletes up to `count` files of the reserve, so that the server can use their space. Returns whether there were any.
   */
  async #release(count: number): Promise<boolean> {
    const names = await this.#reservedNames()
    for (const name of names.slice(0, count)) await rm(join(this.#reserveFolder, name), { force: true })
    if (names.length > 0) this.#reserveDueMs = 0
    return names.length > 0
  }

  async #fillReserve(): Promise<void> {
    this.#reserveDueMs = Infinity
    await mkdir(this.#reserveFolder, { recursive: true, mode: 0o700 })
    const present = new Set(await this.#reservedNames())
    const bytes = Buffer.alloc(reserve.fileBytes, 1)
    for (let index = 0; index < reserve.files && !this.#isStopped; index++) {
      const name = String(index)
      if (present.has(name)) continue
      const file = await open(join(this.#reserveFolder, name), 'w', 0o600)
      await file.write(bytes).finally(() => file.close())
    }
  }

  async #reservedNames(): Promise<string[]> {
    return readdir(this.#reserveFolder).catch((error: unknown) => {
      if (isErrno(error, 'ENOENT')) return []
      throw error
    })
  }

  async #writeSettings(): Promise<void> {
    await this.#writeServerFile(this.#files.current, settings.writable)
    await this.#writeServerFile(this.#files.readOnly, settings.readOnly)
  }

  /** Writes a file that the server reads. It is moved into the folder, because another user may own the folder. */
  async #writeServerFile(path: string, text: string): Promise<void> {
    const { dataDir, account } = this.#options
    const temporary = join(dataDir, 'postgres.conf.new')
    await rm(temporary, { force: true })
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx' })
    if (account.switches) await chown(temporary, account.uid, account.gid)
    await rename(temporary, path)
  }
}

const isBelow = (free: Space, limit: Space): boolean => free.bytes < limit.bytes || free.inodes < limit.inodes

/** Reads a file of the cluster. The owner of the cluster could have replaced it with a link to a file of another user. */
async function readWithoutLinks(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  return file.readFile('utf8').finally(() => file.close())
}
