import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { appBundle } from '../../../../test/app-bundle.ts'
import { startOwnService, type Service, type Tenant } from '../../../../test/harness.ts'
import { until } from '../../../../test/until.ts'
import { uploadedBuild } from '../../../../test/uploading.ts'
import { inspectFile } from '../../../inspection/inspect-file.ts'
import { findStoredObject } from '../../../storage/objects/stored-objects.db.ts'
import { storeUniversalApk } from './universal-apk.ts'

const jar = '/usr/local/share/quayside-test-tools/bundletool.jar'
const password = 'a password of the tests'
const skip =
  (!existsSync(jar) || spawnSync('keytool').error !== undefined) &&
  'needs bundletool and Java; see scripts/install-test-tools.sh'

describe('universal APKs', { skip }, () => {
  let service: Service
  let tenant: Tenant
  let folder: string
  let buildId: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quayside-keystore-'))
    const keystore = join(folder, 'keystore.p12')
    execFileSync(
      'keytool',
      [
        '-genkeypair',
        '-keystore',
        keystore,
        '-storetype',
        'PKCS12',
        '-storepass',
        password,
        '-alias',
        'harbor',
      ].concat(['-keyalg', 'EC', '-dname', 'CN=Harbor']),
      { stdio: 'ignore' },
    )
    service = await startOwnService({
      environment: {
        QUAYSIDE_BUNDLETOOL: jar,
        QUAYSIDE_BUNDLETOOL_KEYSTORE: keystore,
        QUAYSIDE_BUNDLETOOL_KEYSTORE_PASSWORD: password,
        QUAYSIDE_BUNDLETOOL_KEY_ALIAS: 'harbor',
      },
    })
    tenant = await service.tenant()
    const fields = { platform: 'android', primary_file: { filename: 'harbor.aab' } }
    const { build } = await uploadedBuild(service, tenant, fields, appBundle)
    buildId = build.id
    await until('inspection', async () => ((await get('')).data.pending_processing ? undefined : true))
  })
  after(async () => {
    await service.close()
    await rm(folder, { recursive: true })
  })

  const get = async (path: string) => {
    const { body } = await service.call(
      'GET',
      `/applications/${tenant.applicationId}/builds/${buildId}${path}`,
      {
        key: tenant.applicationKey,
      },
    )
    return body
  }

  test('derives a signed APK from an app bundle and returns a link to it', async () => {
    const { universal_apk } = await get('/download')
    assert.equal(universal_apk.filename, 'harbor-universal.apk')
    const bytes = Buffer.from(await (await fetch(universal_apk.temp_url)).arrayBuffer())
    assert.equal(bytes.length, universal_apk.size_bytes)
    const { android_info: apk } = await inspectFile(
      { sizeBytes: bytes.length, read: async (offset, length) => bytes.subarray(offset, offset + length) },
      'apk',
    )
    assert.deepEqual(
      [apk?.package_name, apk?.version_code, apk?.package_signed],
      ['com.example.harbor', 42, true],
    )
    const { data } = await get('')
    assert.equal(data.android_info.package_name, 'com.example.harbor')
    assert.equal(data.size_total_bytes, appBundle.length)
    const application = await service.call('GET', `/applications/${tenant.applicationId}`, {
      key: tenant.workspaceKey,
    })
    assert.equal(application.body.data.storage_usage.total_bytes, appBundle.length + bytes.length)
  })

  test('deletes its working files', () => {
    assert.deepEqual(readdirSync(join(service.dataDir, 'scratch')), [])
  })

  test('creates no universal APK if bundletool fails', async () => {
    const { db, config } = service.deps
    const { object_key, filename, filetype } = await db
      .selectFrom('files')
      .select(['object_key', 'filename', 'filetype'])
      .where('build_id', '=', buildId)
      .where('role', '=', 'primary')
      .executeTakeFirstOrThrow()
    const object = await findStoredObject(db, object_key)
    const bundletool = { ...config.bundletool!, jar: join(folder, 'missing.jar') }
    const apk = await storeUniversalApk(
      { ...service.deps, config: { ...config, bundletool } },
      { id: buildId, filename, filetype },
      object!,
      new AbortController().signal,
    )
    assert.equal(apk, undefined)
    assert.deepEqual(readdirSync(join(service.dataDir, 'scratch')), [])
  })
})
