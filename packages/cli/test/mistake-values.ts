import { execFileSync } from 'node:child_process'
import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { createServer as createTcpServer } from 'node:net'
import { dirname, join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { freePort } from '../../server/test/acceptance/free-port.ts'
import { listen, servePage } from './other-servers.ts'
import { jsonInProcess } from './run-in-process.ts'
import type { Service } from './running-server.ts'

/** Values that commands and messages refer to as `{name}`. */
export const values: Record<string, string> = {}

/** Replaces `{name}` with its value. */
export const fill = (text: string) =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)

/** Splits a command line into words. Single quotes preserve spaces. */
export const words = (command: string) =>
  [...fill(command).matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word)

/** Creates a file in the service's folder, along with any missing parent folders. */
export async function writeTestFile(service: Service, name: string, content = 'content'): Promise<string> {
  const path = join(service.folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  return path
}

function idToken(claims: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encode({ alg: 'RS256', kid: 'a' })}.${encode(claims)}.AAAA`
}

/** Creates applications, keys, files and servers that do not run Quayside, and stores them in `values`. */
export async function createValues(service: Service): Promise<void> {
  const file = (name: string, content?: string) => writeTestFile(service, name, content)
  const json = <Output>(command: string) => jsonInProcess<Output>(service, words(command))
  const key = async (command: string) => (await json<{ key: string }>(`keys create ${command}`)).key
  const create = async (command: string) => (await json<{ id: string }>(`applications create ${command}`)).id
  for (const name of ['game-1.0.0.bin', 'app-1.0.0.apk', 'other.bin', 'nameless', 'a-file'])
    await file(name, name)
  await file('empty-1.0.0.bin', '')
  await file('broken.json', '{"name":')
  await file('damaged/.config/quayside/hosts.json', '{"servers":')
  await file('folder-1.0.0/file')
  await file('hollow-1.0.0/.quaysideignore')
  await truncate(await file('large.txt'), 2 * 1024 ** 3 + 1)
  execFileSync('mkfifo', [join(service.folder, 'pipe-1.0.0.bin')])
  values['game'] = await create('Game --platform linux')
  const upload = 'upload game-1.0.0.bin --application {game} --no-scm'
  values['build'] = (await json<{ build_id: string }>(upload)).build_id
  const self = await json<{ id: string; key: string }>('keys create self --scope api_keys:write')
  const twins = [await create('Twin --platform ios'), await create('Twin --platform ios --force')]
  const [first = '', second = ''] = twins.toSorted()
  Object.assign(values, {
    twin1: first,
    twin2: second,
    server: service.url,
    folder: service.folder,
    port: new URL(service.url).port,
    reader: await key('reader --scope builds:read --application Game'),
    lister: await key('lister --scope builds:read'),
    html: await servePage(200),
    notFound: await servePage(404),
    forbidden: await servePage(403),
    tooLarge: await servePage(413),
    tooMany: await servePage(429, { 'retry-after': '0' }),
    failing: await servePage(500),
    badGateway: await servePage(502),
    redirecting: await servePage(301, { location: 'https://builds.example.com/' }),
    silent: await listen(createTcpServer()),
    closing: await listen(createTcpServer((socket) => socket.destroy())),
    ssh: await listen(createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))),
    tls: await listen(createTlsServer({})),
    unused: `http://127.0.0.1:${await freePort()}`,
    unknownHost: `${'x'.repeat(64)}.localhost`,
    long: 'x'.repeat(200),
    control: '\u0001',
    manyMetadata: '--metadata nameless '.repeat(26),
    emptyToken: idToken({}),
    foreignToken: idToken({
      iss: 'https://issuer.example.com',
      sub: 'a',
      aud: 'b',
      iat: 1,
      exp: 4_102_444_800,
    }),
    self: self.key,
    selfId: self.id,
  })
  for (const name of ['closing', 'tls']) values[`${name}Tls`] = values[name]?.replace('http', 'https') ?? ''
}
