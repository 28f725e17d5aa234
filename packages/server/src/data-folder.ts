import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import type { Logger } from 'pino'

type Options = {
  log: Pick<Logger, 'info' | 'warn'>
  /** Whether another program, such as nginx, reads files in the folder as another user. */
  isSharedForReading: boolean
}

const writableByOthers = 0o022
const openToOthers = 0o077
/** Names that the service, its database or a file system (lost+found) creates in the folder. */
const ownName =
  /^(instance\.lock|secret|first-key|storage|postgres([.-].*)?|postgresql-.*|\.(passwd|pg_(hba|ident)\.conf)|lost\+found)(\..*)?$/

/**
 * Creates the data folder, or denies other users access to an existing one. If the folder also contains unrelated
 * files, which may need the current permissions, only logs a warning.
 */
export async function prepareDataFolder(
  dataDir: string,
  { log, isSharedForReading }: Options,
): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (process.platform === 'win32') return
  const mode = (await stat(dataDir)).mode & 0o7777
  const excess = mode & (isSharedForReading ? writableByOthers : openToOthers)
  if (excess === 0) return
  const octal = (value: number) => `0${value.toString(8)}`
  const closed = mode & ~excess
  const isOurs = (await readdir(dataDir)).every((name) => ownName.test(name))
  const isClosed =
    isOurs &&
    (await chmod(dataDir, closed).then(
      () => true,
      () => false,
    ))
  if (isClosed)
    log.warn(
      { dataDir },
      `the data folder ${dataDir} was open to other users: changed its mode from ${octal(mode)} to ${octal(closed)}`,
    )
  else
    log.warn(
      { dataDir },
      `the data folder ${dataDir} is open to other users (mode ${octal(mode)}) and ` +
        `${isOurs ? 'cannot be closed' : 'contains other files'}. Run "chmod ${octal(closed)} ${dataDir}", ` +
        'or choose a dedicated folder with QUAYSIDE_DATA_DIR.',
    )
}
