import { createHash } from 'node:crypto'
import { token } from './member.ts'
import type { Member, TestRelease } from './member.ts'
import { sendBytes, sendJson, sendPage, startWebServer } from './web-server.ts'

type PackageFile = { package: string; name: string; bytes: Buffer }
type Link = { id: number; name: string; url: string; link_type: string }

/** A server on loopback with the recorded responses of the REST API of GitLab. */
export async function startGitLab() {
  const releases: (Record<string, unknown> & { tag_name: string })[] = []
  const files: PackageFile[] = []
  const storage = await startWebServer((request, response, url) => {
    const file = files[Number(url.pathname.slice(1))]
    if (file === undefined) response.writeHead(404).end()
    else sendBytes(request, response, file.bytes)
  })
  const project = '/api/v4/projects/42'
  const api = await startWebServer((request, response, url) => {
    const { pathname } = url
    const generic = /\/packages\/generic\/compass\/([^/]+)\/([^/]+)$/.exec(pathname)
    const packageId = /\/packages\/([^/]+)\/package_files$/.exec(pathname)?.[1]
    if (request.headers['private-token'] !== token)
      sendJson(response, { message: '401 Unauthorized' }, {}, 401)
    else if (pathname === '/api/v4/projects/acme%2Fcompass')
      sendJson(response, {
        id: 42,
        name: 'compass',
        description: 'A navigation app',
        http_url_to_repo: 'https://gitlab.com/acme/compass.git',
      })
    else if (pathname === `${project}/releases`) sendPage(response, url, releases)
    else if (pathname === `${project}/packages`) {
      const version = url.searchParams.get('package_version')
      const isKnown = files.some((file) => file.package === version)
      sendJson(response, isKnown ? [{ id: version, name: 'compass', version, package_type: 'generic' }] : [])
    } else if (packageId !== undefined)
      sendPage(
        response,
        url,
        files
          .filter((file) => file.package === packageId)
          .map(({ name, bytes }) => ({
            file_name: name,
            size: bytes.length,
            file_sha256: createHash('sha256').update(bytes).digest('hex'),
          })),
      )
    else if (generic !== null) {
      const [, version, name = ''] = generic
      const index = files.findIndex(
        (file) => file.package === version && file.name === decodeURIComponent(name),
      )
      response.writeHead(302, { location: `${storage.url}/${index}` }).end()
    } else sendJson(response, { message: '404 Not found' }, {}, 404)
  })
  const addRelease = ({ version, notes, date }: Omit<TestRelease, 'filename' | 'bytes'>, links: Link[]) =>
    void releases.push({
      tag_name: `v${version}`,
      name: `Compass ${version}`,
      description: notes,
      created_at: date,
      released_at: date,
      upcoming_release: false,
      commit: { id: 'a'.repeat(40) },
      assets: { count: links.length, sources: [], links },
      _links: { self: `https://gitlab.com/acme/compass/-/releases/v${version}` },
    })
  return {
    api,
    storage,
    addRelease,
    args: ['--from', 'gitlab', '--url', api.url, '--repository', 'acme/compass'],
    env: { GITLAB_TOKEN: token },
    publish: ({ filename, bytes, ...release }: TestRelease) => {
      files.push({ package: release.version, name: filename, bytes })
      const path = `${project}/packages/generic/compass/${release.version}/${encodeURIComponent(filename)}`
      const id = 500 + files.length
      addRelease(release, [{ id, name: filename, url: `${api.url}${path}`, link_type: 'package' }])
      return Promise.resolve()
    },
  }
}

export const gitlabMember: Member = {
  name: 'GitLab',
  start: startGitLab,
  titleOf: ({ version }) => `Compass ${version}`,
  keepsDates: true,
}
