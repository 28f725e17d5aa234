import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PackedPackage } from '../../../../scripts/package/pack-workspaces.ts'

const run = promisify(execFile)

type Manifest = { name: string; version: string }

/** Serves packages as the npm registry does. Returns its URL, which npm uses for the scope of the packages. */
export async function startRegistry(folder: string, packages: readonly PackedPackage[]) {
  const tarballs = new Map<string, Buffer>()
  const manifests = new Map<string, Manifest & { integrity: string; path: string }>()
  for (const { filename } of packages) {
    const file = join(folder, filename)
    const bytes = await readFile(file)
    const { stdout } = await run('tar', ['-xzOf', file, 'package/package.json'])
    const manifest = JSON.parse(stdout) as Manifest
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
    tarballs.set(`/${filename}`, bytes)
    manifests.set(manifest.name, { ...manifest, integrity, path: filename })
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    const tarball = tarballs.get(path)
    if (tarball !== undefined) {
      response.end(tarball)
      return
    }
    const found = manifests.get(path.slice(1))
    if (found === undefined) {
      response.writeHead(404).end('{}')
      return
    }
    const { integrity, path: filename, ...manifest } = found
    const dist = { integrity, tarball: `http://${request.headers.host}/${filename}` }
    const { name, version } = manifest
    const versions = { [version]: { ...manifest, dist } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => server.close(),
  }
}
