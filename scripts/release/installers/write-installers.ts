import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Release } from '../release.ts'
import { minisignPublicKey, minisignPublicKeyFile } from '../signatures/minisign.ts'
import type { ReleaseKey } from '../signatures/release-key.ts'
import { sshIdentity, sshNamespace, sshPublicKey } from '../signatures/ssh-signature.ts'

/** Writes the installers with the public key of the release, and the key as files for minisign and OpenSSH. */
export async function writeInstallers({ folder, version, url, key, log }: Release): Promise<void> {
  if (key === undefined) {
    log('no installers, because the release is not signed')
    return
  }
  const values: Record<string, string> = {
    VERSION: version,
    URL: url ?? '',
    MINISIGN_KEY: minisignPublicKey(key),
    SSH_SIGNER: sshSigner(key),
  }
  for (const name of ['install.sh', 'install.ps1']) {
    const template = await readFile(join(import.meta.dirname, name), 'utf8')
    const script = template.replaceAll(
      /@([A-Z_]+)@/g,
      (placeholder, name: string) => values[name] ?? placeholder,
    )
    await writeFile(join(folder, name), script)
    log(name)
  }
  await chmod(join(folder, 'install.sh'), 0o755)
  const keys = { 'quayside.pub': minisignPublicKeyFile(key), 'quayside.signers': `${sshSigner(key)}\n` }
  for (const [name, text] of Object.entries(keys)) {
    await writeFile(join(folder, name), text)
    log(name)
  }
}

/** Returns the line of the key in a file of allowed signers. */
const sshSigner = (key: ReleaseKey): string =>
  `${sshIdentity} namespaces="${sshNamespace}" ${sshPublicKey(key)}`
