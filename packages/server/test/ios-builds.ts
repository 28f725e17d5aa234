import { readFileSync, writeFileSync } from 'node:fs'
import type { Service, Tenant } from './harness.ts'
import { infoPlist, ipaFile, xmlPlist } from './inspection/apple-packages.ts'
import { createCertificate, run, temporaryFolder } from './inspection/programs.ts'
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
