import { createHash } from 'node:crypto'
import { token } from './member.ts'
import type { Member, TestRelease } from './member.ts'
import { sendBytes, sendJson, sendPage, startWebServer } from './web-server.ts'

type Asset = {
  id: number
  name: string
  size: number
  digest: string | null
  created_at: string
  state: string
}
type Release = Record<string, unknown> & { assets: Asset[] }

/** A server on loopback with the recorded responses of the REST API of GitHub. */
export async function startGitHub() {
  const releases: Release[] = []
  const contents = new Map<number, Buffer>()
  const storage = await startWebServer((request, response, url) => {
    const bytes = contents.get(Number(url.pathname.slice(1)))
    if (bytes === undefined || url.searchParams.get('sig') !== 'valid') response.writeHead(403).end()
    else sendBytes(request, response, bytes)
  })
  const base = '/api/v3/repos/acme/compass'
  const api = await startWebServer((request, response, url) => {
    const isAllowed = request.headers.authorization === `Bearer ${token}`
    const assetId = Number(/\/releases\/assets\/(\d+)$/.exec(url.pathname)?.[1] ?? 0)
    if (!isAllowed) sendJson(response, { message: 'Bad credentials' }, {}, 401)
    // GitHub rejects requests without a user agent.
    else if (request.headers['user-agent'] === undefined) response.writeHead(403).end()
    else if (url.pathname === base)
      sendJson(response, {
        id: 1,
        name: 'compass',
        full_name: 'acme/compass',
        description: 'A navigation app',
        clone_url: 'https://github.com/acme/compass.git',
      })
    else if (url.pathname === `${base}/releases`) sendPage(response, url, releases)
    else if (contents.has(assetId) && request.headers.accept === 'application/octet-stream')
      response.writeHead(302, { location: `${storage.url}/${assetId}?sig=valid` }).end()
    else sendJson(response, { message: 'Not Found' }, {}, 404)
  })
  const addRelease = (
    { version, notes, date }: Omit<TestRelease, 'filename' | 'bytes'>,
    files: { name: string; bytes: Buffer; size?: number; digest?: string | null; state?: string }[],
    fields: Record<string, unknown> = {},
  ) => {
    const assets = files.map(({ name, bytes, size, digest, state = 'uploaded' }) => {
      const id = 1000 + contents.size
      contents.set(id, bytes)
      const sha256 = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
      return {
        id,
        name,
        size: size ?? bytes.length,
        digest: digest === undefined ? sha256 : digest,
        state,
        created_at: date,
      }
    })
    // GitHub lists the newest release first.
    releases.unshift({
      id: 100 + releases.length,
      tag_name: `v${version}`,
      target_commitish: 'main',
      name: `Compass ${version}`,
      body: notes,
      draft: false,
      prerelease: false,
      created_at: date,
      published_at: date,
      html_url: `https://github.com/acme/compass/releases/tag/v${version}`,
      ...fields,
      assets,
    })
  }
  return {
    api,
    storage,
    addRelease,
    releases,
    args: ['--from', 'github', '--url', api.url, '--repository', 'acme/compass'],
    env: { GITHUB_TOKEN: token },
    publish: ({ filename, bytes, ...release }: TestRelease) => {
      addRelease(release, [{ name: filename, bytes }])
      return Promise.resolve()
    },
  }
}

export const githubMember: Member = {
  name: 'GitHub',
  start: startGitHub,
  titleOf: ({ version }) => `Compass ${version}`,
  keepsDates: true,
}
