import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createBigFile } from './big-file.ts'
import { cliEnvironment, runCli } from './cli.ts'
import { run, seconds } from './commands.ts'
import { median, option, report } from './report.ts'
import { startService } from './service.ts'
import { createApplication, putArguments, requestUpload, uploadBuild } from './uploads.ts'

// B9 compares `quayside upload` and `quayside download`, which compute checksums, to curl, which computes none.
const rounds = option('rounds', 7)
const sizeMb = option('size-mb', 1024)

const service = await startService()
const file = await createBigFile(sizeMb)
const applicationId = await createApplication(service)
const buildId = await uploadBuild(service, applicationId, file.path, file.sizeBytes)
const env = { ...cliEnvironment(service, file.folder), QUAYSIDE_APPLICATION: applicationId }
const copy = join(file.folder, 'copy')

const contenders = {
  async upload(round: number) {
    let output = ''
    const args = ['upload', file.path, '--version', `2.0.${round}`, '--no-scm', '--json']
    const time = await seconds(async () => (output = await runCli(args, env)))
    const { build_id } = JSON.parse(output) as { build_id: string }
    await service.api('DELETE', `/applications/${applicationId}/builds/${build_id}`)
    return time
  },
  async 'curl -T'(round: number) {
    const { pending_upload_id, primary_file } = await requestUpload(
      service,
      applicationId,
      file.sizeBytes,
      round,
    )
    const time = await seconds(() => run('curl', putArguments(file.path, primary_file.presigned_data)))
    await service.api('POST', '/upload/abort', { pending_upload_id })
    return time
  },
  async download() {
    const time = await seconds(() => runCli(['download', buildId, '--output', copy], env))
    await rm(copy)
    return time
  },
  async 'curl -o'() {
    const path = `/applications/${applicationId}/builds/${buildId}/download`
    const { primary_file } = await service.api<{ primary_file: { temp_url: string } }>('GET', path)
    const time = await seconds(() => run('curl', ['-sSf', '-o', copy, primary_file.temp_url]))
    await rm(copy)
    return time
  },
}
type Name = keyof typeof contenders

const rates: Record<Name, number[]> = { upload: [], 'curl -T': [], download: [], 'curl -o': [] }
// The first round warms up the caches and is not counted.
for (let round = 0; round <= rounds; round++) {
  for (const [name, measure] of Object.entries(contenders)) {
    const rate = sizeMb / (await measure(round))
    if (round > 0) rates[name as Name].push(rate)
  }
}

const line = (name: Name, limitName: Name, goal: number) => ({
  name: `quayside ${name} of ${sizeMb} MiB`,
  ours: median(rates[name]),
  limit: median(rates[limitName]),
  limitName,
  unit: 'MiB/s',
  goal,
})
await report('B9', [line('upload', 'curl -T', 0.7), line('download', 'curl -o', 0.6)], { rates })
await Promise.all([service.stop(), file.remove()])
