import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { groupCalls, groupLink } from '../../../test/distribution-groups.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { createBrowser, textOf, userAgents } from '../../../test/page-browser.ts'
import { shareCalls } from '../../../test/share-links.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { groupLinkUrl } from '../distribution-groups/release-notification.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof shareCalls>

before(async () => {
  service = await startService()
})
after(() => service.close())

/** Starts each test with an application of its own. */
async function newApplication() {
  tenant = await service.tenant()
  calls = shareCalls(service, tenant)
}

type Package = {
  version?: number
  code?: number
  signer?: string
  minimumApi?: number
  architectures?: string[]
  name?: string
}

/** Uploads an APK, and sets what an inspection would have read from it. */
async function uploadApk(
  filename: string,
  { version = 1, code = 1, signer = 'aa', minimumApi = 21, architectures = [], name = 'com.aurora' }: Package,
) {
  const { build } = await uploadedBuild(service, tenant, {
    platform: 'android',
    version_component_1_major: version,
    primary_file: { filename, size_bytes: 1024 },
  })
  const android = {
    package_name: name,
    minimum_api: minimumApi,
    version_code: code,
    signing_cert_sha256: signer,
  }
  await service.deps.db
    .updateTable('builds')
    .set({
      android_info: JSON.stringify(android),
      file_info: JSON.stringify({ architectures, signature_status: 'valid', signer: 'CN=Aurora' }),
    })
    .where('id', '=', build.id as string)
    .execute()
  return build as { id: string }
}

async function shareBuild({ id }: { id: string }): Promise<string> {
  const path = `/applications/${tenant.applicationId}/builds/${id}/share-links`
  return (await calls.send('POST', path, {})).body.data.url
}

type Headers = Record<string, string>
const open = async (url: string, headers: Headers = {}, agent = userAgents.android) =>
  textOf(await createBrowser(agent).open(url, headers))

test('says before the download that the version of Android is too old', async () => {
  await newApplication()
  const url = await shareBuild(await uploadApk('app.apk', { minimumApi: 28 }))
  const hints = (version: string) => ({ 'sec-ch-ua-platform-version': `"${version}"` })
  assert.match(
    await open(url, hints('8.1.0')),
    /requires Android 9 or newer\. Your device has Android 8\.1 and cannot install it\. Download for Android/,
  )
  for (const version of ['9.0.0', '16.0.0', '99.0.0'])
    assert.doesNotMatch(await open(url, hints(version)), /cannot install it/, version)
  // Chrome reports every device as Android 10.
  assert.doesNotMatch(await open(url), /cannot install it/)
  const old = 'Mozilla/5.0 (Android 7.0; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0'
  assert.match(await open(url, {}, old), /Your device has Android 7\.0/)
  assert.match(await open(url), /Android 8 and newer, your phone asks once whether the browser may install/)
  const page = await createBrowser(userAgents.android).open(url)
  assert.match(String(page.headers['accept-ch']), /Sec-CH-UA-Platform-Version/)
  assert.equal(page.headers['critical-ch'], undefined)
})

test('says that the processor of nearly all phones is missing', async () => {
  await newApplication()
  const share = async (architectures: string[]) =>
    open(await shareBuild(await uploadApk('app.apk', { architectures })))
  assert.match(await share(['x64', 'x86']), /only for x86-64 .*Nearly all phones have an ARM processor/)
  assert.match(await share(['armv7']), /only for 32-bit ARM processors/)
  for (const architectures of [[], ['arm64v8'], ['arm64v8', 'armv7', 'x64']])
    assert.doesNotMatch(await share(architectures), /cannot install it/)
  assert.match(await share(['arm64v8']), /Architectures ARM64v8/)
})

test('compares a build with those of the same package that the visitor may see', async () => {
  await newApplication()
  const earlier = await uploadApk('app.apk', { version: 2, code: 214, signer: 'bb' })
  await uploadApk('other.apk', { version: 8, code: 999, signer: 'cc', name: 'com.other' })
  const url = await shareBuild(await uploadApk('app.apk', { version: 1, code: 200 }))
  assert.doesNotMatch(await open(url), /must uninstall/, 'nothing of builds that are not shared')
  const groups = groupCalls(service, tenant)
  const group = await groups.group(['tester@example.com'])
  await groups.share(group, await groups.release([earlier.id], 'First'))
  const old = await uploadApk('app.apk', { version: 1, code: 200 })
  await groups.share(group, await groups.release([old.id], 'Second'))
  const [first = '', second = ''] = await linksTo('tester@example.com')
  const warning =
    /older than 2\.2\.3\. A phone that has 2\.2\.3 must uninstall it first.*signed with another key than 2\.2\.3/
  assert.match(await open(second), warning)
  assert.doesNotMatch(await open(first), /must uninstall/)

  const portal = await service.call('POST', '/portals', {
    key: tenant.workspaceKey,
    body: { name: 'Public', type: 'public' },
  })
  await service.call('PUT', `/portals/${portal.body.data.id}/applications/${tenant.applicationId}`, {
    key: tenant.workspaceKey,
    body: { streams_mode: 'none', releases_mode: 'all' },
  })
  assert.match(await open(url), warning)
  const german = await open(url, { 'accept-language': 'de' })
  assert.match(
    german,
    /Dieser Build ist älter als 2\.2\.3\. .* mit einem anderen Schlüssel signiert als 2\.2\.3/,
  )
})

/** Returns the links that were sent to a person, oldest first. */
async function linksTo(email: string): Promise<string[]> {
  const latest = await groupLink(service, tenant, email)
  const notifications = await service.deps.db
    .selectFrom('release_notifications')
    .innerJoin('releases', 'releases.id', 'release_notifications.release_id')
    .select('release_notifications.id')
    .where('releases.application_id', '=', tenant.applicationId)
    .where('email', '=', email)
    .orderBy('release_notifications.created_at')
    .execute()
  const urls = notifications.map(({ id }) => groupLinkUrl(service.deps, id))
  assert.ok(urls.includes(latest))
  return urls
}

test('offers the APK first that runs on nearly all phones', async () => {
  await newApplication()
  const arm = await uploadApk('app-arm64-v8a.apk', { architectures: ['arm64v8'] })
  const old = await uploadApk('app-armeabi-v7a.apk', { architectures: ['armv7'] })
  const pc = await uploadApk('app-x86_64.apk', { architectures: ['x64'] })
  const all = await uploadApk('app-universal.apk', { architectures: ['arm64v8', 'armv7', 'x64'] })
  const labels = async (builds: { id: string }[]) => {
    const { url } = await calls.createReleaseLink(builds)
    const { forms, text } = await createBrowser(userAgents.android).open(url)
    return [/class="file-name">\s*(\S+)/.exec(text)?.[1], ...forms.map(({ label }) => label)]
  }
  assert.deepEqual(await labels([old, pc, arm]), [
    'app-arm64-v8a.apk',
    'Download for Android',
    'Download app-armeabi-v7a.apk',
    'Download app-x86_64.apk',
  ])
  assert.equal((await labels([old, arm, all]))[0], 'app-universal.apk')
  const other = await uploadApk('other.apk', { architectures: ['arm64v8'], name: 'com.other' })
  assert.equal((await labels([arm, other]))[0], undefined)
})

test('explains app bundles and archives of APKs on the pages of share links and groups', async () => {
  await newApplication()
  const upload = async (platform: string, filename: string) =>
    (await uploadedBuild(service, tenant, { platform, primary_file: { filename, size_bytes: 1024 } })).build
  const bundle = await upload('android', 'app.aab')
  const groups = groupCalls(service, tenant)
  await groups.share(await groups.group(['bundle@example.com']), await groups.release([bundle.id]))
  for (const url of [
    await shareBuild(bundle),
    (await calls.createReleaseLink([bundle])).url,
    await groupLink(service, tenant, 'bundle@example.com'),
  ])
    assert.match(await open(url), /Android devices cannot install this build: it is an app bundle/)
  for (const filename of ['app.apks', 'app.xapk', 'app.APKM']) {
    const url = await shareBuild(await upload('generic', filename))
    assert.match(await open(url), /contains several APKs.* installer app/, filename)
    assert.match(await open(url), /How to install When the download is complete, open an installer app/)
  }
})

test('downloads an APK with the type and the name that open the installer', async () => {
  await newApplication()
  const url = await shareBuild(await uploadApk('Aurora 2.apk', {}))
  const browser = createBrowser(userAgents.android)
  const { location = '' } = await browser.submit(await browser.open(url), 'Download for Android')
  const { headers, body } = await fetch(location)
  await body?.cancel()
  assert.equal(headers.get('content-type'), 'application/vnd.android.package-archive')
  assert.equal(headers.get('content-disposition'), 'attachment; filename="Aurora 2.apk"')
})
