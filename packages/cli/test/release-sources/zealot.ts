import type { ServerResponse } from 'node:http'
import { token } from './member.ts'
import type { Member, TestRelease } from './member.ts'
import { sendBytes, sendJson, startWebServer } from './web-server.ts'

type Build = TestRelease & { id: number; channel: string; buildVersion: string }

/** A server on loopback with the recorded responses of the REST API of Zealot. */
export async function startZealot() {
  const builds: Build[] = []
  const channels = [
    {
      id: 4,
      name: 'Android',
      slug: 'a1',
      device_type: 'android',
      git_url: '',
      has_password: false,
      key: 'key-a',
    },
    {
      id: 5,
      name: 'Store',
      slug: 'b2',
      device_type: 'android',
      git_url: '',
      has_password: false,
      key: 'key-b',
    },
  ]
  const protectedIds = new Set<number>()
  const api = await startWebServer((request, response, url) => {
    const { pathname, searchParams } = url
    const [, id = '', name] = /^\/download\/releases\/(\d+)(\/.+)?$/.exec(pathname) ?? []
    const build = builds.find((each) => each.id === Number(id))
    const isAllowed = searchParams.get('token') === token
    const app = {
      id: 7,
      name: 'Compass',
      archived: false,
      schemes: [{ id: 3, name: 'Production', channels }],
    }
    if (pathname === '/api/apps' && isAllowed) sendJson(response, [app])
    else if (pathname === '/api/apps/7' && isAllowed) sendJson(response, app)
    else if (pathname === '/api/apps/versions') sendJson(response, versionsOf(searchParams))
    else if (build !== undefined && protectedIds.has(build.id)) sendPasswordPage(pathname, response)
    else if (build !== undefined && name === undefined)
      response
        .writeHead(302, { location: `/download/releases/${build.id}/${encodeURIComponent(build.filename)}` })
        .end()
    else if (build !== undefined)
      sendBytes(request, response, build.bytes, {
        'content-disposition': `attachment; filename="${build.filename}"`,
      })
    else if (pathname === '/login') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    else sendJson(response, { error: 'Not found' }, {}, 404)
  })
  const versionsOf = (query: URLSearchParams) => {
    const page = Number(query.get('page'))
    const channel = query.get('channel_key')
    const all = builds.filter((build) => build.channel === channel).toReversed()
    const releases = all.slice((page - 1) * 100, page * 100).map((build) => ({
      id: build.id,
      version: build.id,
      app_name: 'Compass Production',
      release_version: build.version,
      build_version: build.buildVersion,
      branch: 'develop',
      git_commit: 'b'.repeat(40),
      ci_url: 'https://ci.example.com/runs/1',
      size: build.bytes.length,
      platform: 'Android',
      device_type: 'Phone',
      install_url: `${api.url}/download/releases/${build.id}`,
      text_changelog: build.notes,
      created_at: build.date,
    }))
    return { app_name: 'Compass', releases }
  }
  const addBuild = (release: TestRelease, channel = 'key-a', buildVersion = '57') => {
    const id = 900 + builds.length
    builds.push({ ...release, id, channel, buildVersion })
    return id
  }
  return {
    api,
    addBuild,
    protectedIds,
    args: ['--from', 'zealot', '--url', api.url, '--from-application', '7'],
    env: { ZEALOT_TOKEN: token },
    publish: (release: TestRelease) => {
      addBuild(release)
      return Promise.resolve()
    },
  }
}

function sendPasswordPage(pathname: string, response: ServerResponse): void {
  response.writeHead(302, { location: `/login?back_url=${pathname}` }).end()
}

export const zealotMember: Member = {
  name: 'Zealot',
  start: startZealot,
  titleOf: ({ version }) => `Production ${version}`,
  keepsDates: true,
}
