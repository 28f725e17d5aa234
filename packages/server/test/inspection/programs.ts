import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The resources of Android itself, to which applications refer. */
export const androidFramework = '/usr/share/android-framework-res/framework-res.apk'

/** Returns why a test is skipped, or false if all programs and files are installed. */
export function missing(...names: string[]): string | false {
  const isInstalled = (name: string) =>
    name.startsWith('/') ? existsSync(name) : spawnSync('which', [name]).status === 0
  const absent = names.filter((name) => !isInstalled(name))
  return absent.length > 0 && `${absent.join(', ')} not installed; see scripts/install-test-tools.sh`
}

/** Runs a program and returns its output. Throws an error with its error output unless the exit code is 0. */
export function run(program: string, args: string[], input?: Buffer | string): Buffer {
  return execFileSync(program, args, { input, maxBuffer: 2 ** 26, stdio: ['pipe', 'pipe', 'pipe'] })
}

/** Runs a program that verifies a file, and returns whether its exit code is 0. */
export const succeeds = (program: string, args: string[]): boolean => spawnSync(program, args).status === 0

export const runText = (program: string, args: string[], input?: Buffer | string): string =>
  run(program, args, input).toString('utf8')

/** Creates a folder that is deleted at the end of the scope. `path` returns a path in the folder. */
export function temporaryFolder(): Disposable & { path: (name: string) => string } {
  const folder = mkdtempSync(join(tmpdir(), 'inspection-'))
  return {
    path: (name) => join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Creates a key and a self-signed certificate in the folder. Returns their paths and the certificate's SHA-256. */
export function createCertificate(
  path: (name: string) => string,
  subject: string,
  keyType: 'rsa:2048' | 'ec' = 'rsa:2048',
): { key: string; certificate: string; sha256: string } {
  const [key, certificate, der] = [path('key.pem'), path('certificate.pem'), path('key.pk8')]
  const curve = keyType === 'ec' ? ['-pkeyopt', 'ec_paramgen_curve:P-256'] : []
  const request = [
    'req',
    '-x509',
    '-utf8',
    '-nodes',
    '-days',
    '3650',
    '-subj',
    subject,
    '-newkey',
    keyType,
    ...curve,
  ]
  run('openssl', [...request, '-keyout', key, '-out', certificate])
  run('openssl', ['pkcs8', '-topk8', '-nocrypt', '-in', key, '-outform', 'DER', '-out', der])
  const fingerprint = runText('openssl', ['x509', '-in', certificate, '-noout', '-fingerprint', '-sha256'])
  return {
    key: der,
    certificate,
    sha256: (fingerprint.split('=')[1] ?? '').trim().replaceAll(':', '').toLowerCase(),
  }
}

/** Creates a key and a certificate in a keystore with the alias `signer` and the password `password`. Returns its path. */
export function createKeystore(path: (name: string) => string, subject: string): string {
  const { certificate } = createCertificate(path, subject)
  const keys = ['-inkey', path('key.pem'), '-in', certificate, '-name', 'signer']
  run('openssl', ['pkcs12', '-export', ...keys, '-passout', 'pass:password', '-out', path('keys.p12')])
  return path('keys.p12')
}

/** Creates an OpenPGP key in a home directory of its own. `sign` returns a detached signature unless options say otherwise. */
export function createPgpKey(path: (name: string) => string) {
  const home = path('gnupg')
  mkdirSync(home, { mode: 0o700 })
  const gpg = (args: string[], input?: Buffer) =>
    run('gpg', ['--homedir', home, '--batch', '--no-tty', '--quiet', '--passphrase', '', ...args], input)
  gpg(['--pinentry-mode', 'loopback', '--quick-generate-key', 'Quay', 'ed25519', 'sign', 'never'])
  const [, keyId = ''] =
    /^pub:[^:]*:[^:]*:[^:]*:([0-9A-F]{16}):/m.exec(gpg(['--list-keys', '--with-colons']).toString()) ?? []
  return {
    home,
    keyId: keyId.toLowerCase(),
    sign: (bytes: Buffer, ...options: string[]) =>
      gpg([...options, ...(options.includes('--clearsign') ? [] : ['--detach-sign'])], bytes),
    // gpg starts an agent, which keeps running.
    [Symbol.dispose]: () => void run('gpgconf', ['--homedir', home, '--kill', 'all']),
  }
}

/** Returns the path of a file in an installed package. Some packages do not export their files. */
export const packageFile = (path: string): string =>
  join(import.meta.dirname, '../../../../node_modules', path)
