import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ignoring } from '../mirror/mirror-folder.ts'

type Noun = 'import' | 'application' | 'build' | 'release' | 'share_link' | 'group' | 'webhook'
type Line = { type: Noun; from: string; to: string }

/** The new IDs of what an import has created. A line is written when the resource exists, so a rerun continues after it. */
export class ImportState {
  /** The folder for files that are being imported. */
  readonly folder: string
  readonly path: string
  readonly #ids = new Map<string, string>()
  readonly #handle: FileHandle

  private constructor(path: string, folder: string, handle: FileHandle) {
    this.path = path
    this.folder = folder
    this.#handle = handle
  }

  static async open(path: string): Promise<ImportState> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const text = (await readFile(path, 'utf8').catch(ignoring('ENOENT'))) ?? ''
    // A run that was killed while it wrote a line leaves an incomplete one.
    const complete = text.slice(0, text.lastIndexOf('\n') + 1)
    const handle = await open(path, 'a', 0o600)
    await handle.truncate(Buffer.byteLength(complete))
    const state = new ImportState(path, `${path}.files`, handle)
    for (const line of complete.split('\n').filter((each) => each !== '')) {
      const { type, from, to } = JSON.parse(line) as Line
      state.#ids.set(`${type} ${from}`, to)
    }
    if (state.find('import', 'id') === undefined) await state.add('import', 'id', randomUUID())
    return state
  }

  find = (type: Noun, from: string): string | undefined => this.#ids.get(`${type} ${from}`)

  async add(type: Noun, from: string, to: string): Promise<void> {
    this.#ids.set(`${type} ${from}`, to)
    await this.#handle.appendFile(`${JSON.stringify({ type, from, to } satisfies Line)}\n`)
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
