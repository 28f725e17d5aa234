import { chmod, lchown, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './account.ts'

type Owner = Pick<Account, 'uid' | 'gid'>

/** Returns whether the cluster exists and belongs to another user than the account, as after a backup was restored. */
export async function hasOtherOwner(folder: string, { uid, switches }: Account): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  return switches && found !== undefined && found.uid !== uid
}

/** Makes the account the owner of a cluster whose server does not run. The next start resumes an interrupted call. */
export async function takeOwnership(folder: string, account: Owner): Promise<void> {
  // Root owns the folder until all of its content has moved, which marks an interrupted call.
  await closeTo(folder, { uid: 0, gid: 0 })
  await moveContents(folder, account)
  await lchown(folder, account.uid, account.gid)
}

async function moveContents(folder: string, owner: Owner): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await lstat(path)
    if (found.isDirectory()) {
      await closeTo(path, owner)
      await moveContents(path, owner)
    } else if (found.nlink === 1) {
      // A second name would be a link that the previous owner made to a file of another user.
      await lchown(path, owner.uid, owner.gid)
    }
  }
}

/** Closes a folder to its previous owner, who could otherwise replace what is in it by links while it is read. */
async function closeTo(folder: string, { uid, gid }: Owner): Promise<void> {
  await lchown(folder, uid, gid)
  await chmod(folder, 0o700)
}
