import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createClient } from '@quayside/sdk'
import type { QuaysideClient } from '@quayside/sdk'
import { missingS3Server } from '../../server/test/s3-server.ts'
import { importAll, importArgs, missingOf } from './import-reports.ts'
import { describeImported } from './imported-application.ts'
import { s3Member, startS3 } from './release-sources/s3.ts'
import { runInProcess } from './run-in-process.ts'
import { bootstrapKey, startService } from './running-server.ts'
import type { Service } from './running-server.ts'

let service: Service
let client: QuaysideClient

before(async () => {
  service = await startService()
  client = createClient({ baseUrl: service.url, apiKey: bootstrapKey })
})
after(() => service.close())

const bytes = randomBytes(1000)

describe('the objects of S3', { skip: missingS3Server }, () => {
  after(() => s3Member.stop?.())

  test('are grouped by the version in their folders or names', async () => {
    const bucket = await startS3()
    await bucket.put({
      'v1.0.0/windows/compass.zip': bytes,
      'v1.0.0/linux/compass.zip': bytes,
      'v1.0.0/linux/compass.zip.sha256': Buffer.from('checksum'),
      'compass 1.1.0+7 & more.apk': bytes,
      'readme.txt': bytes,
    })
    const report = await importAll(service, bucket)
    const { builds, releases } = await describeImported(client, report.application_id)
    assert.deepEqual(builds.map(({ version, primary }) => `${version} ${String(primary[0])}`).toSorted(), [
      '1.0.0 compass.zip',
      '1.0.0 compass.zip',
      '1.1.0+7 compass 1.1.0+7 & more.apk',
    ])
    const { data } = await client.listPlatforms({ application_id: report.application_id })
    assert.deepEqual(data.map(({ identifier }) => identifier).toSorted(), ['android', 'linux', 'windows'])
    assert.deepEqual(releases.map(([title]) => String(title)).toSorted(), ['1.1.0+7', 'v1.0.0'])
    assert.deepEqual(missingOf(report), [
      [`${bucket.prefix}readme.txt`, 'Neither its name nor its folder contains a version.'],
    ])
  })

  test('are listed over several pages, and the keys are checked', async () => {
    const bucket = await startS3()
    const others = Array.from({ length: 1005 }, (_, index) => [`notes/${index}`, Buffer.from('x')])
    await bucket.put({ ...Object.fromEntries(others), 'v2.0.0/compass.apk': bytes })
    const report = await importAll(service, bucket)
    assert.deepEqual([report.builds, report.not_imported.length], [1, 1006])
    const denied = await runInProcess(service, importArgs(service, bucket), {
      env: { ...bucket.env, AWS_SECRET_ACCESS_KEY: 'wrong' },
    })
    assert.equal(denied.code, 3)
    assert.match(denied.stderr, /S3 rejected the request .*SignatureDoesNotMatch, HTTP 403\)\. Check AWS_/)
    const missing = await runInProcess(
      service,
      [...importArgs(service, bucket), '--bucket', 'quayside-none'],
      {
        env: bucket.env,
      },
    )
    assert.equal(missing.code, 1)
    assert.match(missing.stderr, /There is no bucket "quayside-none"\. Check --bucket and --url\./)
  })
})

test('rejects options that the source does not have or lacks', async () => {
  const cases: [string[], RegExp][] = [
    [['--from', 'github'], /Name the repository with --repository, such as --repository owner\/name\./],
    [
      ['--from', 'github', '--repository', 'compass'],
      /"compass" is not a repository\. Use --repository owner\/name/,
    ],
    [['--from', 'github', '--repository', 'a/..'], /Name the repository with --repository/],
    [
      ['--from', 'github', '--repository', 'a/b', '--bucket', 'c'],
      /does not have the option --bucket\. Remove it\./,
    ],
    [['--from', 'gitlab'], /such as --repository group\/project\./],
    [['--from', 'zealot', '--url', 'https://z.example.com'], /set ZEALOT_TOKEN to your API token\./],
    [['--from', 's3'], /Name the bucket with --bucket/],
    [['--from', 'appcenter'], /Name the folder to read, such as `quayside import saved --from appcenter`\./],
    [['folder', '--from', 'gitea', '--repository', 'a/b'], /Use either a folder or --from, not both\./],
    [['folder', '--stream', 'beta'], /does not have the option --stream\. Remove it\./],
    [['folder', '--from-application', '7'], /does not have the option --from-application\. Remove it\./],
    [[], /or a service, such as --from github\. Services: github, gitlab, gitea, zealot, s3, appcenter\./],
  ]
  for (const [args, message] of cases) {
    const { code, stderr } = await runInProcess(service, ['import', ...args])
    assert.match(stderr, message)
    assert.equal(code, 2, stderr)
  }
})
