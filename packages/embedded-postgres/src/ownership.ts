import { chmod, lchown, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './types.ts'

type Owner = Pick<Account, 'uid' | 'gid'>

/** Returns whether the cluster exists and belongs to a user other than the account, for example after a restore. */
export async function hasOtherOwner(folder: string, { uid, switches }: Account): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  return switches && found !== undefined && found.uid !== uid
}

/**
 * Makes the account the owner of a cluster. The server must not be running. The next start completes an interrupted
 * call.
 */
export async function takeOwnership(folder: string, account: Owner): Promise<void> {
  // Root owns the folder until all of its content has the new owner. If root still owns it, the call was interrupted.
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
      // Files with several hard links are skipped, because the previous owner may have linked another user's file here.
      await lchown(path, owner.uid, owner.gid)
    }
  }
}

/**
 * Denies the previous owner access to a folder, so that entries cannot be replaced with links while the folder is read.
 */
async function closeTo(folder: string, { uid, gid }: Owner): Promise<void> {
  await lchown(folder, uid, gid)
  await chmod(folder, 0o700)
}
