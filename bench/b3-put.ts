import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeBigFile } from './big-file.ts'
import { run, seconds } from './commands.ts'
import { startNginx } from './peer-nginx.ts'
import { median, option, report } from './report.ts'
import { startService } from './service.ts'
import { createApplication, putArguments, requestUpload } from './uploads.ts'

// B3: one PUT to the local driver (MD5, SHA-256, fsync) beside nginx WebDAV (none of them) and dd with fsync.
const rounds = option('rounds', 7)
const sizeMb = option('size-mb', 1024)

const nginx = await startNginx()
const service = await startService()
const file = await makeBigFile(sizeMb)
const applicationId = await createApplication(service)
const rates: Record<'ours' | 'nginx' | 'dd' | 'md5', number[]> = { ours: [], nginx: [], dd: [], md5: [] }

const hashing = `
  const md5 = require('node:crypto').createHash('md5'), block = Buffer.alloc(1048576, 7), start = performance.now()
  for (let done = 0; done < ${sizeMb}; done++) md5.update(block)
  console.log((performance.now() - start) / 1000)`

const contenders = {
  async ours(round: number) {
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
  async nginx() {
    const time = await seconds(() =>
      run('curl', putArguments(file.path, { url: `${nginx.url}/package.zip` })),
    )
    await run('curl', ['-sf', '-X', 'DELETE', `${nginx.url}/package.zip`])
    return time
  },
  async dd() {
    const copy = join(file.folder, 'copy')
    const time = await seconds(() =>
      run('dd', [`if=${file.path}`, `of=${copy}`, 'bs=1M', 'conv=fsync', 'status=none']),
    )
    await rm(copy)
    return time
  },
  // MD5 of one stream has no parallel form: no single PUT with an MD5 as its ETag can be faster than this.
  md5: () => run(process.execPath, ['-e', hashing]).then(Number),
}

// the first round warms caches and is not counted
for (let round = 0; round <= rounds; round++) {
  for (const [name, measure] of Object.entries(contenders)) {
    const rate = sizeMb / (await measure(round))
    if (round > 0) rates[name as keyof typeof rates].push(rate)
  }
}

const [ours, peer, disk, md5] = [median(rates.ours), median(rates.nginx), median(rates.dd), median(rates.md5)]
const limit = Math.min(peer, disk)
const limitIs = peer < disk ? 'nginx PUT' : 'dd fsync'
const line = { what: `PUT of ${sizeMb} MiB`, ours, unit: 'MiB/s', goal: 0.9 }
const lines = [
  { ...line, limit, limitIs },
  { ...line, what: 'the same', limit: Math.min(limit, md5), limitIs: md5 < limit ? 'MD5 alone' : limitIs },
]
await report('B3', lines, {
  'nginx WebDAV PUT, MiB/s': Math.round(peer),
  'dd conv=fsync, MiB/s': Math.round(disk),
  'MD5 alone on one core, MiB/s': Math.round(md5),
  'peak memory of the server, MB': await service.peakMemoryMb(),
  rates,
})
await Promise.all([service.stop(), nginx.stop(), file.remove()])
