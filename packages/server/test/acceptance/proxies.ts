import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository } from './npm-start.ts'
import { until } from './until.ts'

/** The ports and the data folder that replace those in the sample configurations. */
export type Addresses = { service: number; https: number; http: number; dataDir: string }

export type Proxy = {
  /** The certificate that clients must trust. */
  certificate: string
  stop(): Promise<void>
}

const hasCommand = (name: string, version: string): boolean => spawnSync(name, [version]).status === 0
const hasAccount = (name: string): boolean => spawnSync('id', [name]).status === 0

/** Returns why nginx and Caddy cannot be started here, or false. */
export function reasonToSkipProxies(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'needs root on Linux to run nginx and Caddy as their own users'
  const missing = [
    ...(hasCommand('nginx', '-v') && hasAccount('www-data') ? [] : ['nginx']),
    ...(hasCommand('caddy', 'version') && hasAccount('caddy') ? [] : ['caddy']),
    ...(hasCommand('openssl', 'version') ? [] : ['openssl']),
  ]
  return missing.length > 0 && `requires ${missing.join(', ')}; scripts/install-test-tools.sh installs them`
}

export const userId = (name: string): number => Number(execFileSync('id', ['-u', name], { encoding: 'utf8' }))
const groupIdOf = (name: string): number => Number(execFileSync('id', ['-g', name], { encoding: 'utf8' }))

/** Replaces each string. Throws if one is missing, so that a changed sample cannot go unnoticed. */
function replaceAll(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((replaced, [from, to]) => {
    if (!replaced.includes(from)) throw new Error(`the configuration does not contain ${from}`)
    return replaced.replaceAll(from, to)
  }, text)
}

const hasIpv6 = Object.values(networkInterfaces()).some((entries) =>
  entries?.some(({ address }) => address === '::1'),
)

/** Starts nginx with the sample configuration. As on Debian, the master runs as root and the workers run as www-data. */
export async function startNginx({ service, https, http, dataDir }: Addresses) {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-nginx-'))
  const [certificatePath, keyPath] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const certificateOptions = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync(
    'openssl',
    ['req', ...certificateOptions.split(' '), ...subject, '-keyout', keyPath, '-out', certificatePath],
    { stdio: 'ignore' },
  )
  const main = replaceAll(await readFile('/etc/nginx/nginx.conf', 'utf8'), [
    ['/run/nginx.pid', join(folder, 'pid')],
    ['/var/log/nginx/', `${folder}/`],
    ['/etc/nginx/conf.d/*.conf', join(folder, 'quayside.conf')],
    ['include /etc/nginx/sites-enabled/*;', ''],
  ])
  await writeFile(join(folder, 'nginx.conf'), main)
  const sample = await readFile(join(repository, 'deploy/nginx/quayside.conf'), 'utf8')
  const listenV6 = (port: number) => (hasIpv6 ? `listen [::1]:${port}` : `listen 127.0.0.3:${port}`)
  const site = replaceAll(sample, [
    ['server 127.0.0.1:4400;', `server 127.0.0.1:${service};`],
    ['listen 80;', `listen 127.0.0.1:${http};`],
    ['listen [::]:80;', `${listenV6(http)};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${https} ssl;`],
    ['listen [::]:443 ssl;', `${listenV6(https)} ssl;`],
    ['/etc/letsencrypt/live/quayside.example.com/fullchain.pem', certificatePath],
    ['/etc/letsencrypt/live/quayside.example.com/privkey.pem', keyPath],
    ['server_name quayside.example.com;', 'server_name localhost;'],
    ['/srv/quayside/data/', `${dataDir}/`],
    ['/var/log/nginx/', `${folder}/`],
  ])
  const configure = (text: string) => writeFile(join(folder, 'quayside.conf'), text)
  await configure(site)
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', openSync(join(folder, 'stderr'), 'a')],
  })
  await listening(nginx, https, folder)
  return {
    certificate: await readFile(certificatePath, 'utf8'),
    /** Changes the configuration and makes nginx reload it. The caller must wait until the change takes effect. */
    async reconfigure(change: (text: string) => string): Promise<void> {
      await configure(change(site))
      nginx.kill('SIGHUP')
    },
    stop: () => stop(nginx, folder),
  }
}

/** Starts Caddy with the sample configuration. */
export async function startCaddy({ service, https, http }: Addresses): Promise<Proxy> {
  const sample = await readFile(join(repository, 'deploy/caddy/Caddyfile'), 'utf8')
  // For localhost, Caddy issues the certificate from its own certificate authority.
  const site = replaceAll(sample, [
    ['quayside.example.com {', `localhost:${https} {`],
    ['127.0.0.1:4400', `127.0.0.1:${service}`],
  ])
  return runCaddy(site, { https, http })
}

/** Starts Caddy with the configuration for the containers of compose.yaml. `upstreams` are their addresses here. */
export async function startComposeCaddy({
  upstreams,
  hostnames,
  https,
  http,
}: {
  upstreams: Record<string, string>
  hostnames: Record<string, string>
  https: number
  http: number
}): Promise<Proxy> {
  const sample = await readFile(join(repository, 'deploy/caddy/compose.Caddyfile'), 'utf8')
  return runCaddy(replaceAll(sample, Object.entries(upstreams)), { https, http, settings: hostnames })
}

/** Runs Caddy as the user that the Caddy package creates. */
async function runCaddy(
  site: string,
  { https, http, settings = {} }: { https: number; http: number; settings?: Record<string, string> },
): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-caddy-'))
  const [uid, gid] = [userId('caddy'), groupIdOf('caddy')]
  await chown(folder, uid, gid)
  await writeFile(join(folder, 'quayside.caddy'), site)
  await writeFile(
    join(folder, 'Caddyfile'),
    `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${http}\n}\nimport quayside.caddy\n`,
  )
  const caddy = spawn('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
    cwd: folder,
    uid,
    gid,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      ...settings,
    },
    stdio: ['ignore', 'ignore', openSync(join(folder, 'stderr'), 'a')],
  })
  await listening(caddy, https, folder)
  const certificate = join(folder, 'caddy/pki/authorities/local/root.crt')
  return { certificate: await readFile(certificate, 'utf8'), stop: () => stop(caddy, folder) }
}

/** Waits until the proxy completes TLS handshakes. */
async function listening(proxy: ChildProcess, port: number, folder: string): Promise<void> {
  // The proxy must not outlive an interrupted test run.
  process.once('exit', () => proxy.kill())
  const address = ['-connect', `127.0.0.1:${port}`, '-servername', 'localhost', '-verify_quiet']
  const isListening = async () => {
    if (proxy.exitCode !== null) throw new Error(await readFile(join(folder, 'stderr'), 'utf8'))
    return spawnSync('openssl', ['s_client', ...address], { input: '' }).status === 0
  }
  await until('the proxy listens', isListening, { everyMs: 100 })
}

async function stop(proxy: ChildProcess, folder: string): Promise<void> {
  const exited = once(proxy, 'exit')
  if (proxy.exitCode === null && proxy.kill('SIGTERM')) await exited
  await rm(folder, { recursive: true, force: true })
}
