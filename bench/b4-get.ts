import { join } from 'node:path'
import { freePort } from '../packages/server/test/acceptance/free-port.ts'
import { createBigFile } from './big-file.ts'
import { run, seconds } from './commands.ts'
import { startNginx } from './peer-nginx.ts'
import { median, option, report, type Line } from './report.ts'
import { startService, type Service } from './service.ts'
import { createApplication, uploadBuild } from './uploads.ts'

// B4 compares Quayside to nginx with sendfile: 1 and 16 clients download a large file, whole and in ranges. It also
// measures Quayside behind nginx with X-Accel-Redirect.
const rounds = option('rounds', 5)
const sizeMb = option('size-mb', 1024)
const maxClients = option('clients', 16)
const rangeMb = Math.min(64, sizeMb)
const mebibyte = 1024 * 1024

const file = await createBigFile(sizeMb)
const direct = await startService()
const proxyPort = await freePort()
const proxied = await startService({
  QUAYSIDE_PUBLIC_URL: `http://127.0.0.1:${proxyPort}`,
  QUAYSIDE_ACCEL_REDIRECT_PREFIX: '/internal/',
})
const nginx = await startNginx({
  port: proxyPort,
  server: `
    location / { proxy_pass ${proxied.origin}; proxy_http_version 1.1; proxy_request_buffering off; }
    location /internal/ { internal; alias ${join(proxied.folder, 'data/storage')}/; }`,
})
await run('cp', [file.path, join(nginx.files, 'package.zip')])
const urls = {
  ours: await downloadUrl(direct),
  offload: await downloadUrl(proxied),
  nginx: `${nginx.url}/package.zip`,
}

async function downloadUrl(service: Service): Promise<string> {
  const applicationId = await createApplication(service)
  const buildId = await uploadBuild(service, applicationId, file.path, file.sizeBytes)
  const path = `/applications/${applicationId}/builds/${buildId}/download`
  const { primary_file } = await service.api<{ primary_file: { temp_url: string } }>('GET', path)
  return primary_file.temp_url
}

const whole = (url: string): string[] => ['-sSf', '-o', '/dev/null', '-w', '%{size_download}\n', url]

/** Returns curl arguments that request one range after another on one connection. */
function inRanges(url: string): string[] {
  const starts = Array.from({ length: sizeMb / rangeMb }, (_, index) => index * rangeMb * mebibyte)
  return starts.flatMap((start, index) => {
    const range = ['-r', `${start}-${start + rangeMb * mebibyte - 1}`, ...whole(url)]
    return index === 0 ? range : ['--next', ...range]
  })
}

/** Returns the total MiB/s of `clients` concurrent curl processes that each download the whole file. */
async function rate(args: string[], clients: number): Promise<number> {
  const time = await seconds(async () => {
    const outputs = await Promise.all(Array.from({ length: clients }, () => run('curl', args)))
    for (const text of outputs) {
      const received = text.split('\n').reduce((sum, line) => sum + Number(line), 0)
      if (received !== file.sizeBytes)
        throw new Error(`a client received ${received} of ${file.sizeBytes} bytes`)
    }
  })
  return (clients * sizeMb) / time
}

const lines: Line[] = []
const rates: Record<string, Record<string, number[]>> = {}
for (const clients of [1, maxClients]) {
  for (const [mode, args] of Object.entries({ whole, 'in ranges': inRanges })) {
    const name = `${mode}, ${clients} ${clients === 1 ? 'client' : 'clients'}`
    const measured = { ours: [] as number[], offload: [] as number[], nginx: [] as number[] }
    // The first round warms up the caches and is not counted.
    for (let round = 0; round <= (clients === 1 ? rounds : Math.ceil(rounds / 2)); round++) {
      for (const server of ['ours', 'nginx', 'offload'] as const) {
        const mibPerSecond = await rate(args(urls[server]), clients)
        if (round > 0) measured[server].push(mibPerSecond)
      }
    }
    rates[name] = measured
    const limit = median(measured.nginx)
    const line = { limit, limitName: 'nginx sendfile', unit: 'MiB/s' }
    lines.push({ ...line, name, ours: median(measured.ours), goal: 0.7 })
    lines.push({ ...line, name: `${name}, offloaded`, ours: median(measured.offload), goal: 0.95 })
  }
}
await report('B4', lines, { 'peak server memory, MB': await direct.peakMemoryMb(), rates })
await Promise.all([direct.stop(), proxied.stop(), nginx.stop(), file.remove()])
