import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createBigFile } from './big-file.ts'
import { run, seconds } from './commands.ts'
import { startNginx } from './peer-nginx.ts'
import { median, option, report } from './report.ts'
import { startService } from './service.ts'
import { createApplication, putArguments, requestUpload } from './uploads.ts'

// B3 compares a PUT to the local driver (MD5, SHA-256, fsync) with MD5 alone. nginx WebDAV (none of these) and dd (fsync) are
// printed beside it.
const rounds = option('rounds', 7)
const sizeMb = option('size-mb', 1024)

const nginx = await startNginx()
const service = await startService()
const file = await createBigFile(sizeMb)
const applicationId = await createApplication(service)
const rates: Record<'ours' | 'nginx' | 'dd' | 'md5', number[]> = { ours: [], nginx: [], dd: [], md5: [] }

const md5Script = `
  const md5 = require('node:crypto').createHash('md5'), block = Buffer.alloc(1048576, 7), start = performance.now()
  for (let done = 0; done < ${sizeMb}; done++) md5.update(block)
  console.log((performance.now() - start) / 1000)`

const contenders = {
  async ours(round: number) {
    const requested = await requestUpload(service, applicationId, file.sizeBytes, round)
    const { pending_upload_id, primary_file } = requested
    const time = await seconds(() => run('curl', putArguments(file.path, primary_file.presigned_data)))
    await service.api('POST', '/upload/abort', { pending_upload_id })
    return time
  },
  async nginx() {
    const url = `${nginx.url}/package.zip`
    const time = await seconds(() => run('curl', putArguments(file.path, { url })))
    await run('curl', ['-sf', '-X', 'DELETE', url])
    return time
  },
  async dd() {
    const copy = join(file.folder, 'copy')
    const args = [`if=${file.path}`, `of=${copy}`, 'bs=1M', 'conv=fsync', 'status=none']
    const time = await seconds(() => run('dd', args))
    await rm(copy)
    return time
  },
  // MD5 cannot be computed in parallel, so a PUT that returns an MD5 as the ETag cannot be faster than this.
  md5: () => run(process.execPath, ['-e', md5Script]).then(Number),
}

// The first round warms up the caches and is not counted.
for (let round = 0; round <= rounds; round++) {
  for (const [name, measure] of Object.entries(contenders)) {
    const rate = sizeMb / (await measure(round))
    if (round > 0) rates[name as keyof typeof rates].push(rate)
  }
}

const [ours, peer, disk, md5] = [median(rates.ours), median(rates.nginx), median(rates.dd), median(rates.md5)]
const name = `PUT of ${sizeMb} MiB`
await report('B3', [{ name, ours, limit: md5, limitName: 'MD5 alone', unit: 'MiB/s', goal: 0.85 }], {
  'nginx WebDAV PUT, MiB/s': Math.round(peer),
  'dd conv=fsync, MiB/s': Math.round(disk),
  'peak server memory, MB': await service.peakMemoryMb(),
  rates,
})
await Promise.all([service.stop(), nginx.stop(), file.remove()])
