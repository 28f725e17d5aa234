import { groupCalls, groupLink } from '../../packages/server/test/distribution-groups.ts'
import type { Service, Tenant } from '../../packages/server/test/harness.ts'
import { iosCalls, type createPlistSigner } from '../../packages/server/test/ios-builds.ts'
import { portalCalls } from '../../packages/server/test/portals.ts'
import { shareCalls } from '../../packages/server/test/share-links.ts'
import { uploadedBuild } from '../../packages/server/test/uploading.ts'
import { drawIcon } from '../demo/drawing/icons.ts'

export type VisitorWorld = Awaited<ReturnType<typeof createVisitorWorld>>

type ApkOptions = {
  minor?: number
  code?: number
  signer?: string
  minimumApi?: number
  architectures?: string[]
}

const notes = `### New
- Offline maps for **42 countries**
- Heather, gorse and bog myrtle in the plant guide

### Fixed
- A crash while saving a hike on a full disk`

/** Creates an application with an icon, and functions that upload and share its builds. */
export async function createVisitorWorld(
  service: Service,
  sign: ReturnType<typeof createPlistSigner>['sign'],
) {
  const tenant: Tenant = await service.tenant({
    platforms: ['android', 'ios', 'windows', 'macos', 'linux', 'generic'],
  })
  const portals = portalCalls(service, tenant)
  const { send } = portals
  const shares = shareCalls(service, tenant)
  const groups = groupCalls(service, tenant)
  await send('PATCH', '/workspace', { name: 'Acme' })
  await send('PATCH', `/applications/${tenant.applicationId}`, { name: 'Wayfern' })
  const icon = { content_type: 'image/png', data: drawIcon('wayfern').toString('base64') }
  await send('PUT', `/applications/${tenant.applicationId}/icon`, icon)

  async function upload(platform: string, filename: string, { minor = 14 }: { minor?: number } = {}) {
    const uploaded = await uploadedBuild(service, tenant, {
      platform,
      primary_file: { filename },
      build_number: String(1000 + minor),
      version_component_1_major: 2,
      version_component_2_minor: minor,
      version_component_3_patch: 0,
      notes,
    })
    return uploaded.build as { id: string; stream: { id: string } }
  }

  /** Uploads an APK, and sets what an inspection would have read from it. */
  async function uploadApk(
    filename: string,
    {
      minor = 14,
      code = 214,
      signer = 'aa',
      minimumApi = 26,
      architectures = ['arm64v8', 'armv7'],
    }: ApkOptions = {},
  ) {
    const build = await upload('android', filename, { minor })
    const android = {
      package_name: 'com.example.wayfern',
      minimum_api: minimumApi,
      version_code: code,
      signing_cert_sha256: signer,
    }
    await service.deps.db
      .updateTable('builds')
      .set({
        android_info: JSON.stringify(android),
        file_info: JSON.stringify({ architectures, signature_status: 'valid', signer: 'CN=Acme' }),
      })
      .where('id', '=', build.id)
      .execute()
    return build
  }

  const pathOf = (url: string) => new URL(url).pathname
  const buildPath = ({ id }: { id: string }) => `/applications/${tenant.applicationId}/builds/${id}`

  return {
    tenant,
    send,
    portals,
    /** Creates a portal that shows the application. */
    portal: (fields: object, modes: object = {}) =>
      portals.portal({ ...fields }, { ...modes }) as Promise<{ id: string; portal_url: string }>,
    groups,
    upload,
    uploadApk,
    pathOf,
    /** Uploads the same for Android and computers, and publishes it with a build for iOS. */
    async release(minor: number, ios: { id: string }) {
      const files = [
        ['windows', `wayfern-2.${minor}.0-setup.exe`],
        ['macos', `Wayfern-2.${minor}.0.dmg`],
        ['linux', `wayfern-2.${minor}.0-x86_64.AppImage`],
      ] as const
      const apk = await uploadApk(`wayfern-2.${minor}.0.apk`, { minor, code: 200 + minor })
      const builds = [apk, { ...apk, id: ios.id }]
      for (const [platform, filename] of files) builds.push(await upload(platform, filename, { minor }))
      const build_ids = builds.map(({ id }) => id)
      const version = {
        version_component_1_major: 2,
        version_component_2_minor: minor,
        version_component_3_patch: 0,
      }
      const release = (await portals.releases.create({
        title: `2.${minor}.0`,
        ...version,
        notes,
        build_ids,
      })) as { id: string }
      return { id: release.id, builds }
    },
    ipa: (options: Parameters<ReturnType<typeof iosCalls>['upload']>[0]) =>
      iosCalls(service, tenant, sign).upload({ filename: 'Wayfern-2.14.0.ipa', ...options }),
    /** Shares a build and returns the path of the page, and the URL and ID of the link. */
    async share(build: { id: string }, fields: object = {}) {
      const response = await shares.send('POST', `${buildPath(build)}/share-links`, fields)
      const { data } = response.body as { data: Record<'id' | 'url' | 'short_url', string> }
      return { path: pathOf(data.short_url), url: service.url + pathOf(data.url), id: data.id }
    },
    /** Sends a release to a person, and returns the path of the personal link. */
    async sendRelease({ id }: { id: string }, email: string, fields: object = {}) {
      const group = await groups.group([email], fields)
      await groups.share(group, id)
      return { path: pathOf(await groupLink(service, tenant, email)), group }
    },
    changeLink: (id: string, body: object) =>
      service.call('PATCH', `/share-links/${id}`, { key: tenant.applicationKey, body }),
  }
}
