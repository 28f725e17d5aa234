import { token } from './member.ts'
import type { Member, TestRelease } from './member.ts'
import { sendBytes, sendJson, sendPage, startWebServer } from './web-server.ts'

/** A server on loopback with the recorded responses of the REST API of Gitea. */
async function startGitea() {
  const releases: Record<string, unknown>[] = []
  const contents = new Map<string, Buffer>()
  const base = '/api/v1/repos/acme/compass'
  const storage = await startWebServer((request, response, url) => {
    const bytes = contents.get(url.pathname)
    if (bytes === undefined) response.writeHead(404).end()
    else sendBytes(request, response, bytes)
  })
  const api = await startWebServer((request, response, url) => {
    if (request.headers.authorization !== `token ${token}`) response.writeHead(401).end()
    else if (url.pathname === base)
      sendJson(response, {
        name: 'compass',
        description: 'A navigation app',
        clone_url: `${api.url}/acme/compass.git`,
      })
    else if (url.pathname === `${base}/releases`) sendPage(response, url, releases)
    // An instance that stores files in S3 redirects to it.
    else if (contents.has(url.pathname))
      response.writeHead(303, { location: `${storage.url}${url.pathname}` }).end()
    else sendJson(response, { message: 'The target could not be found.' }, {}, 404)
  })
  return {
    api,
    storage,
    args: ['--from', 'gitea', '--url', api.url, '--repository', 'acme/compass'],
    env: { GITEA_TOKEN: token },
    publish: ({ version, notes, date, filename, bytes }: TestRelease) => {
      const path = `/acme/compass/releases/download/v${version}/${releases.length}`
      contents.set(path, bytes)
      releases.unshift({
        id: 10 + releases.length,
        tag_name: `v${version}`,
        target_commitish: 'main',
        name: `Compass ${version}`,
        body: notes,
        html_url: `${api.url}/acme/compass/releases/tag/v${version}`,
        draft: false,
        prerelease: false,
        created_at: date,
        published_at: date,
        assets: [
          {
            id: 70 + releases.length,
            name: filename,
            size: bytes.length,
            created_at: date,
            uuid: 'f3a1c1f2-0000-4000-8000-000000000000',
            browser_download_url: `${api.url}${path}`,
          },
        ],
      })
      return Promise.resolve()
    },
  }
}

export const giteaMember: Member = {
  name: 'Gitea',
  start: startGitea,
  titleOf: ({ version }) => `Compass ${version}`,
  keepsDates: true,
}
