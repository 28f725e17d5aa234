import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../../failure.ts'
import { ignoring } from '../mirror/mirror-folder.ts'

type Noun =
  | 'import'
  | 'application'
  | 'build'
  | 'release'
  | 'release_build'
  | 'share_link'
  | 'group'
  | 'webhook'
type Line = { type: Noun; from: string; to: string }

const filesAt = (path: string): string => `${path}.files`

/** Returns a record without the incomplete line that a run leaves if it is killed while it writes. */
const completeLines = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1)

/** Returns the lines of a record, or undefined if the text is not a record. */
function parseLines(text: string): Line[] | undefined {
  try {
    const lines = text.split('\n').filter((line) => line !== '')
    const parsed = lines.map((line) => JSON.parse(line) as Partial<Line> | null)
    const isRecord = parsed.every((line) => typeof line?.type === 'string' && typeof line.to === 'string')
    return isRecord ? (parsed as Line[]) : undefined
  } catch {
    return undefined
  }
}

/** The new IDs of what an import has created. A line is written when the resource exists, so a rerun continues after it. */
export class ImportState {
  /** The folder for files that are being imported. */
  readonly folder: string
  readonly path: string
  readonly #ids = new Map<string, { to: string; line: number }>()
  readonly #handle: FileHandle

  private constructor(path: string, folder: string, handle: FileHandle) {
    this.path = path
    this.folder = folder
    this.#handle = handle
  }

  static async open(path: string): Promise<ImportState> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const text = (await readFile(path, 'utf8').catch(ignoring('ENOENT'))) ?? ''
    const complete = completeLines(text)
    const lines = parseLines(complete)
    if (lines === undefined)
      throw new Failure(
        'failed',
        `${path} is damaged or is not the record of an import. Use another file with --state, or add --start-over to replace it.`,
      )
    const handle = await open(path, 'a', 0o600)
    await handle.truncate(Buffer.byteLength(complete))
    const state = new ImportState(path, filesAt(path), handle)
    for (const line of lines) state.#remember(line)
    if (state.find('import', 'id') === undefined) await state.add('import', 'id', randomUUID())
    return state
  }

  /**
   * Renames the record, so that the next run starts over. Returns the new path and the application into which earlier runs
   * imported, or undefined if there is no record.
   */
  static async discard(
    path: string,
    sourceId: string,
  ): Promise<{ path: string; applicationId: string | undefined } | undefined> {
    const text = await readFile(path, 'utf8').catch(ignoring('ENOENT'))
    if (text === undefined) return undefined
    const discarded = `${path}.discarded`
    await rename(path, discarded)
    await rm(filesAt(path), { recursive: true, force: true })
    const lines = parseLines(completeLines(text)) ?? []
    const application = lines.find(({ type, from }) => type === 'application' && from === sourceId)
    return { path: discarded, applicationId: application?.to }
  }

  find = (type: Noun, from: string): string | undefined => this.#ids.get(`${type} ${from}`)?.to

  /** Returns whether a build was imported after a release had been created. */
  isLater(buildId: string, releaseId: string): boolean {
    const lineOf = (key: string) => this.#ids.get(key)?.line ?? -1
    return lineOf(`build ${buildId}`) > lineOf(`release ${releaseId}`)
  }

  #remember({ type, from, to }: Line): void {
    this.#ids.set(`${type} ${from}`, { to, line: this.#ids.size })
  }

  async add(type: Noun, from: string, to: string): Promise<void> {
    const line: Line = { type, from, to }
    this.#remember(line)
    await this.#handle.appendFile(`${JSON.stringify(line)}\n`)
    await this.#handle.datasync()
  }

  /** Returns an idempotency key, with which a run that was killed before it saved an ID gets the same resource again. */
  keyOf = (resource: string): string =>
    createHash('sha256')
      .update(`${this.find('import', 'id')} ${resource}`)
      .digest('hex')

  /** Returns the folder for the files of a build. */
  filesOf = (buildId: string): string =>
    join(this.folder, createHash('sha256').update(buildId).digest('hex').slice(0, 16))

  async removeFiles(folder = this.folder): Promise<void> {
    await rm(folder, { recursive: true, force: true })
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }
}
