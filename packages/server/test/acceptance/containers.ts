import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { repository } from './npm-start.ts'

const programs = ['buildah', 'mmdebstrap', 'podman', 'runc']
const execute = promisify(execFile)
/** The npm that runs the tests. */
const npmFolder = dirname(dirname(process.env['npm_execpath'] ?? ''))

export type ContainerEngine = Awaited<ReturnType<typeof startContainerEngine>>

/** Returns the reason why `startContainerEngine` cannot run here, or undefined if it can. */
export function whyNoContainers(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux'
  const missing = programs.filter((program) => spawnSync(program, ['--version']).status !== 0)
  return missing.length > 0 ? `needs the Debian packages ${missing.join(', ')}` : undefined
}

/**
 * Creates a container engine with its own storage. It has the images `localhost/debian` and `localhost/node`, which
 * replace the images of a registry and use the package sources and certificates of this computer.
 */
export async function startContainerEngine() {
  // The images are too large for the folder in memory that most tests use.
  const folder = await mkdtemp('/var/tmp/quayside-containers-')
  const storage = [
    '--root',
    join(folder, 'storage'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver',
    'overlay',
  ]
  const run = async (program: string, args: readonly string[]): Promise<string> => {
    const { stdout } = await execute(program, args, { cwd: repository, maxBuffer: 64 << 20 })
    return stdout.trim()
  }
  const buildah = (...args: string[]) => run('buildah', [...storage, ...args])
  const engine = ['--cgroup-manager', 'cgroupfs', '--events-backend', 'file', '--runtime', 'runc']
  const podman = (...args: string[]) => run('podman', [...storage, ...engine, ...args])

  const createBaseImages = async () => {
    const archive = join(folder, 'debian.tar')
    await run('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', archive])
    const container = await buildah('from', 'scratch')
    const copy = (source: string, target: string) => buildah('copy', container, source, target)
    await buildah('add', container, archive, '/')
    await copy('/etc/apt/apt.conf.d', '/etc/apt/apt.conf.d')
    const certificates = '/etc/ssl/certs/ca-certificates.crt'
    await copy(certificates, certificates)
    await buildah('commit', container, 'localhost/debian')
    await copy(process.execPath, '/usr/local/bin/node')
    await copy(npmFolder, '/usr/local/lib/node_modules/npm')
    const link = ['ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm']
    await buildah('run', '--isolation', 'chroot', container, '--', ...link)
    await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${certificates}`, container)
    await buildah('commit', container, 'localhost/node')
    await buildah('rm', container)
  }
  const remove = async (): Promise<void> => {
    // A failed build leaves a mounted container.
    await buildah('rm', '--all').catch(() => {})
    await podman('rm', '--all', '--force', '--volumes').catch(() => {})
    await podman('rmi', '--all', '--force').catch(() => {})
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await createBaseImages()
  } catch (error) {
    await remove()
    throw error
  }
  return {
    /** Runs podman and returns its output. Throws if it fails. */
    podman,
    /** Builds the image of the repository with the base images of this engine. */
    build: (tag: string, more: readonly string[] = []) => {
      const options = '--isolation chroot --format docker --pull-never --network host'.split(' ')
      const images = ['NODE_IMAGE=localhost/node', 'BASE_IMAGE=localhost/debian'].map(
        (base) => `--build-arg=${base}`,
      )
      const source = ['--file', 'deploy/Containerfile', '--tag', tag, '.']
      return buildah('build', ...options, ...images, ...more, ...source)
    },
    remove,
  }
}
