import { spawn } from 'node:child_process'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Bundletool } from '../config/bundletool.ts'
import { isErrno } from '../lib/problem.ts'
import { killGroup, limitedCommand, lowerPriority } from './sandbox.ts'

const cpuSeconds = 10 * 60
const wallMs = 15 * 60 * 1000
const minFileBytes = 1024 * 1024 * 1024

/** Thrown if bundletool cannot be run or rejects the app bundle. */
export class BundletoolFailed extends Error {}

/**
 * Derives a single APK for all devices from an app bundle. Writes it and temporary files to `folder`, and returns its
 * path. Throws `BundletoolFailed` if the APK cannot be derived, and the abort reason if `signal` is aborted.
 */
export async function deriveUniversalApk(
  { jar, keystore, searchPath }: Bundletool,
  bundle: { path: string; sizeBytes: number },
  folder: string,
  signal: AbortSignal,
): Promise<{ path: string; sizeBytes: number }> {
  const signing: string[] = []
  if (keystore !== undefined) {
    // A password among the arguments would be visible to all users of the machine.
    const passwordFile = join(folder, 'password')
    await writeFile(passwordFile, keystore.password, { mode: 0o600 })
    signing.push(
      `--ks=${keystore.path}`,
      `--ks-key-alias=${keystore.alias}`,
      `--ks-pass=file:${passwordFile}`,
    )
  }
  const output = join(folder, 'apks')
  await run(
    [
      'java',
      '-Xmx1g',
      '-XX:+UseSerialGC',
      `-Djava.io.tmpdir=${folder}`,
      '-jar',
      jar,
      'build-apks',
      '--mode=universal',
      '--output-format=DIRECTORY',
      `--bundle=${bundle.path}`,
      `--output=${output}`,
      ...signing,
    ],
    { folder, searchPath, fileBytes: Math.max(minFileBytes, 4 * bundle.sizeBytes), signal },
  )
  const path = join(output, 'universal.apk')
  const { size: sizeBytes } = await stat(path).catch((error: unknown) => {
    throw isErrno(error, 'ENOENT') ? new BundletoolFailed('bundletool did not create a universal APK') : error
  })
  return { path, sizeBytes }
}

async function run(
  command: string[],
  {
    folder,
    searchPath,
    fileBytes,
    signal,
  }: { folder: string; searchPath: string | undefined; fileBytes: number; signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted()
  const { program, args } =
    process.platform === 'win32'
      ? { program: command[0] ?? '', args: command.slice(1) }
      : limitedCommand(command, { cpuSeconds, fileBytes })
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: searchPath, HOME: folder, TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    windowsHide: true,
  })
  lowerPriority(child)
  const stop = () => killGroup(child)
  signal.addEventListener('abort', stop)
  const timer = setTimeout(stop, wallMs)
  try {
    const exited = new Promise<number | string | null>((resolve) => {
      child.on('exit', (code, by) => resolve(code ?? by))
      child.on('error', (error) => resolve(error.message))
    })
    const errors = await text(child.stderr)
    const status = await exited
    signal.throwIfAborted()
    if (status !== 0) throw new BundletoolFailed(`bundletool exited with ${status}: ${errors.slice(-2_000)}`)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}
