import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Service, Tenant } from './harness.ts'
import { infoPlist, ipaFile, xmlPlist } from './inspection/apple-packages.ts'
import { createCertificate, run, temporaryFolder } from './inspection/programs.ts'
import { createBrowser, type OpenedPage } from './page-browser.ts'
import { until } from './until.ts'
import { uploadedBuild } from './uploading.ts'

/** A public URL with HTTPS, without which pages offer no installation. */
export const secureUrl = 'https://builds.example.com'

/** Returns where the service under test listens for a URL with its public address. */
export const localUrl = (service: Service, url: string): string => url.replace(secureUrl, service.url)

/** Makes the pages of a service use HTTPS in their links. Its clients still connect with HTTP. */
export function pretendHttps({ deps }: Service): void {
  Object.assign(deps.config, { publicUrl: secureUrl })
}

/** Creates a signer of property lists with openssl. Devices and Apple sign what they send in this way. */
export function createPlistSigner(): Disposable & { sign: (plist: string) => Buffer } {
  const folder = temporaryFolder()
  const { key, certificate } = createCertificate(folder.path, '/CN=Device')
  return {
    sign(plist) {
      writeFileSync(folder.path('plist'), plist)
      const signer = ['-signer', certificate, '-inkey', key, '-keyform', 'DER']
      const files = ['-in', folder.path('plist'), '-outform', 'DER', '-out', folder.path('signed')]
      run('openssl', ['cms', '-sign', '-binary', '-nodetach', ...files, ...signer])
      return readFileSync(folder.path('signed'))
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

export type ProfileOptions = {
  type?: 'development' | 'adhoc' | 'enterprise' | 'appstore'
  devices?: string[]
  expires?: Date
}

/** Returns a provisioning profile as XML. */
function profilePlist({ type = 'adhoc', devices = [], expires }: ProfileOptions): string {
  const expiry = expires ?? new Date(Date.now() + 90 * 24 * 3_600_000)
  const listed = devices.map((device) => `<string>${device}</string>`).join('')
  const access = {
    development: `<key>ProvisionedDevices</key><array>${listed}</array>`,
    adhoc: `<key>ProvisionedDevices</key><array>${listed}</array>`,
    enterprise: '<key>ProvisionsAllDevices</key><true/>',
    appstore: '',
  }[type]
  return xmlPlist(`<dict>
    <key>UUID</key><string>6b0e1d2c-1111-4222-8333-444455556666</string>
    <key>TeamName</key><string>Example &lt;Ltd&gt;</string>
    <key>TeamIdentifier</key><array><string>AB12CD34EF</string></array>
    <key>ExpirationDate</key><date>${expiry.toISOString().replace(/\.\d+/, '')}</date>
    <key>Entitlements</key><dict><key>get-task-allow</key><${type === 'development'}/></dict>
    ${access}</dict>`)
}

/** Uploads an iOS application and waits until its profile has been read. */
export async function uploadIpa(
  service: Service,
  tenant: Tenant,
  sign: (plist: string) => Buffer,
  {
    info = infoPlist,
    filename = 'Quay & Söhne.ipa',
    ...profile
  }: ProfileOptions & { info?: string; filename?: string } = {},
) {
  const bytes = ipaFile({ info, profile: sign(profilePlist(profile)) })
  const fields = { platform: 'ios', primary_file: { filename } }
  const { build } = await uploadedBuild(service, tenant, fields, bytes)
  const path = `/applications/${tenant.applicationId}/builds/${build.id}`
  const read = await until('the profile to be read', async () => {
    const { data } = (await service.call('GET', path, { key: tenant.applicationKey })).body
    return data.processing === 'done' || data.processing === 'failed' ? data : undefined
  })
  return { id: build.id as string, build: read, bytes, path }
}

/** Returns the URL of the manifest in the link of a page; undefined if the page offers no installation. */
export function manifestUrl({ text }: OpenedPage): string | undefined {
  const link = /href="(itms-services:[^"]+)"/.exec(text)?.[1]?.replaceAll('&#38;', '&')
  if (link === undefined) return undefined
  const [, action, url = ''] = /^itms-services:\/\/\?action=([\w-]+)&url=([^&]+)$/.exec(link) ?? []
  assert.equal(action, 'download-manifest')
  return decodeURIComponent(url)
}

/** The user agent of Safari on an iPhone. */
export const safari = (version: string): string =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${version.replaceAll('.', '_')} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Mobile/15E148 Safari/604.1`

export const iphone = safari('17.5')

export const openOnIphone = (url: string, userAgent = iphone): Promise<OpenedPage> =>
  createBrowser(userAgent).open(url)

/** Returns functions that upload and share iOS builds of a tenant. Its pages use HTTPS. */
export function iosCalls(service: Service, tenant: Tenant, sign: (plist: string) => Buffer) {
  const upload = (options: Parameters<typeof uploadIpa>[3] = {}) => {
    Object.assign(service.deps.config, { publicUrl: service.url })
    return uploadIpa(service, tenant, sign, options).finally(() => pretendHttps(service))
  }
  let common: ReturnType<typeof upload> | undefined
  /** Returns a build that tests share unless they need other options. */
  const ipa = (options?: Parameters<typeof uploadIpa>[3]) =>
    options === undefined ? (common ??= upload()) : upload(options)

  /** Shares a build and returns the URL at which the service under test serves the page. */
  async function share(path: string, fields: object = {}) {
    const { data } = (
      await service.call('POST', `${path}/share-links`, { key: tenant.applicationKey, body: fields })
    ).body
    const count = async () =>
      (await service.call('GET', `${path}/share-links`, { key: tenant.applicationKey })).body.data.find(
        ({ id }: { id: string }) => id === data.id,
      ).download_count as number
    return { url: localUrl(service, data.short_url), id: data.id as string, count }
  }

  return { upload, ipa, share }
}
