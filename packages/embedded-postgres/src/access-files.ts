import { chown, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { currentUser } from './account.ts'
import type { Account } from './types.ts'

/**
 * The names of the superuser roles. `upgrade` exists only while a cluster from an earlier version is being migrated.
 */
export const superuser = { name: 'postgres', upgrade: 'postgres_upgrade' } as const

type AccessOptions = {
  dataDir: string
  folder: string
  name: string
  account: Account
  /** Whether the superuser can connect, which is required only during startup. */
  superuserCanConnect: boolean
}

/** Grants access only to the user of this process, as verified by the operating system. */
export async function writeAccessFiles(options: AccessOptions): Promise<void> {
  const { dataDir, folder, name, account, superuserCanConnect } = options
  const user = currentUser().username.replaceAll('"', '""')
  const roles = superuserCanConnect ? [name, superuser.name, superuser.upgrade] : [name]
  const files = {
    'pg_hba.conf': roles.map((role) => `local all ${role} peer map=${name}\n`).join(''),
    'pg_ident.conf': roles.map((role) => `${name} "${user}" ${role}\n`).join(''),
  }
  for (const [file, text] of Object.entries(files)) {
    // The file is written elsewhere and then moved into the folder, because another user may own the folder and could
    // have created a symbolic link with this name.
    const temporary = join(dataDir, `.${file}`)
    await rm(temporary, { force: true })
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx' })
    if (account.switches) await chown(temporary, account.uid, account.gid)
    await rename(temporary, join(folder, file))
  }
}
