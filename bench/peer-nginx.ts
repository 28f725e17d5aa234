import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../packages/server/test/acceptance/free-port.ts'
import { requireCommand } from './commands.ts'
import { killOnExit } from './service.ts'

const install = 'apt-get install -y nginx-light (it includes the WebDAV module)'

/**
 * Starts nginx with one worker per core. It serves `/files/` with sendfile and accepts WebDAV PUTs in that path.
 * `server` contains additional locations.
 */
export async function startNginx({ port, server = '' }: { port?: number; server?: string } = {}) {
  const nginx = await requireCommand('nginx', install)
  const folder = await mkdtemp(join(tmpdir(), 'quayside-bench-nginx-'))
  const files = join(folder, 'files')
  await mkdir(files)
  const listen = port ?? (await freePort())
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  await writeFile(
    join(folder, 'nginx.conf'),
    `${user} worker_processes auto; daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 512; }
http {
  access_log off; sendfile on; tcp_nopush on; client_max_body_size 0; default_type application/octet-stream;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${listen};
    location /files/ { root ${folder}; dav_methods PUT DELETE; }
    ${server}
  }
}`,
  )
  const child = spawn(nginx, ['-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'inherit', 'inherit'] })
  killOnExit(child)
  const url = `http://127.0.0.1:${listen}/files`
  while ((await fetch(`${url}/`).catch(() => undefined)) === undefined) {
    if (child.exitCode !== null) throw new Error(`nginx exited with code ${child.exitCode}`)
    await pause(20)
  }
  return {
    url,
    files,
    async stop(): Promise<void> {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
