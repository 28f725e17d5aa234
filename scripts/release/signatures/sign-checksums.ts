import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checksumsFile } from '../checksums.ts'
import type { Release } from '../release.ts'
import { minisign } from './minisign.ts'
import { sshSignature } from './ssh-signature.ts'

/** Signs the checksums, and thereby all artifacts, in the formats of minisign and OpenSSH. */
export async function signChecksums({ folder, key, version, commit, log }: Release): Promise<void> {
  if (key === undefined) {
    log('not signed')
    return
  }
  const checksums = await readFile(join(folder, checksumsFile))
  const comment = `quayside ${version} commit ${commit}${key.isTest ? ' test key' : ''}`
  const signatures = { minisig: minisign(key, checksums, comment), sshsig: sshSignature(key, checksums) }
  for (const [extension, text] of Object.entries(signatures)) {
    const name = `${checksumsFile}.${extension}`
    await writeFile(join(folder, name), text)
    log(name)
  }
}
