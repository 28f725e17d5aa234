import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { parse } from 'yaml'
import { findBuild, integrationsFolder, readVariables, runStep } from './integration-steps.ts'
import { jsonInProcess } from './run-in-process.ts'
import { bootstrapKey, startService } from './running-server.ts'
import type { Service } from './running-server.ts'

type Variables = Record<string, string>
type Task = {
  inputs: { name: string; required?: boolean; defaultValue?: string }[]
  OutputVariables: { name: string }[]
  execution: Record<string, { target: string }>
}

let service: Service
let project: string
let variables: Variables

before(async () => {
  service = await startService()
  await jsonInProcess(service, ['applications', 'create', 'Game', '--platform', 'generic'])
  project = join(service.folder, 'my project')
  await mkdir(project)
  variables = {
    QUAYSIDE_SERVER: service.url,
    QUAYSIDE_APPLICATION: 'Game',
    QUAYSIDE_API_KEY: bootstrapKey,
    QUAYSIDE_ENV_FILE: 'quayside.env',
  }
})

after(() => service?.close())

const read = (path: string) => readFile(join(integrationsFolder, path), 'utf8')
const run = (command: string[], env: Variables = {}) =>
  runStep(service, command, { cwd: project, env: { ...variables, ...env } })

async function fileIn(name: string): Promise<string> {
  await mkdir(dirname(join(project, name)), { recursive: true })
  await writeFile(join(project, name), randomBytes(1000))
  return name
}

/** Returns the build that the last step uploaded. */
async function uploaded() {
  const result = readVariables(await readFile(join(project, 'quayside.env'), 'utf8'))
  return findBuild(service, result['QUAYSIDE_BUILD_ID'])
}

/** Runs the Azure Pipelines task as an agent does. */
async function runTask(inputs: Variables) {
  const folder = 'azure-pipelines/QuaysideUpload'
  const task = JSON.parse(await read(`${folder}/task.json`)) as Task
  for (const name of Object.keys(inputs))
    assert.ok(
      task.inputs.some((input) => input.name === name),
      name,
    )
  const given = task.inputs.map(({ name, required, defaultValue = '' }) => {
    assert.ok(required !== true || inputs[name] !== undefined, `${name} is required`)
    return [`INPUT_${name.toUpperCase()}`, inputs[name] ?? defaultValue]
  })
  const env = {
    TF_BUILD: 'True',
    BUILD_BUILDURI: 'vstfs:///Build/Build/4',
    BUILD_BUILDNUMBER: '20261127.4',
    ...(Object.fromEntries(given) as Variables),
  }
  const target = task.execution['Node20_1']?.target ?? ''
  const { stderr } = await run([process.execPath, join(integrationsFolder, folder, target)], env)
  const set = /^##vso\[task\.setvariable variable=(\w+);isOutput=true\](.*)$/gm
  const outputs = Object.fromEntries([...stderr.matchAll(set)].map(([, name, value]) => [name, value]))
  assert.deepEqual(
    Object.keys(outputs),
    task.OutputVariables.map(({ name }) => name),
  )
  return outputs as Variables
}

test('uploads with the Azure Pipelines task and sets its output variables', async () => {
  const inputs = { server: service.url, application: 'Game', apiKey: bootstrapKey, labels: 'smoke\nqa' }
  const file = await fileIn('azure-4.0.0.bin')
  const outputs = await runTask({ ...inputs, file, buildNumber: '7', stream: 'nightlies' })
  const build = await findBuild(service, outputs['buildId'])
  assert.deepEqual(
    [build.version, build.stream.name, build.build_source, build.build_number, build.labels.length],
    ['4.0.0', 'nightlies', 'azure-devops', '7', 2],
  )
  const failed = runTask({ ...inputs, file, stream: 'none' })
  await assert.rejects(failed, {
    code: 1,
    stderr: /^##vso\[task\.logissue type=error\].*"none" is not a stream/m,
  })
})

test('describes the Azure Pipelines extension and its task', async () => {
  const manifest = JSON.parse(await read('azure-pipelines/vss-extension.json')) as {
    files: { path: string }[]
    contributions: { properties: { name: string } }[]
  }
  const task = JSON.parse(await read('azure-pipelines/QuaysideUpload/task.json')) as Task & { id: string }
  assert.deepEqual(manifest.files, [{ path: manifest.contributions[0]?.properties.name }])
  assert.match(task.id, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  for (const { name } of [...task.inputs, ...task.OutputVariables])
    assert.match(name, /^[A-Za-z][A-Za-z0-9]*$/)
})

test('uploads with the program of the Bitbucket pipe', async () => {
  const dockerfile = await read('bitbucket-pipe/Dockerfile')
  assert.match(dockerfile, /^COPY upload\.mjs \/$/m)
  assert.match(dockerfile, /^ENTRYPOINT \["node", "\/upload\.mjs"\]$/m)
  const { name, image, repository } = parse(await read('bitbucket-pipe/pipe.yml')) as Variables
  for (const value of [name, image, repository]) assert.equal(typeof value, 'string')
  const readme = await read('bitbucket-pipe/README.md')
  const [, yaml = ''] = /```yaml\n(.*?)```/s.exec(readme) ?? []
  const example = parse(yaml) as {
    pipelines: { default: [{ step: { script: (string | { variables: Variables })[] } }] }
  }
  const pipe = example.pipelines.default[0].step.script.find((line) => typeof line === 'object')
  assert.ok(pipe)
  const env = {
    ...pipe.variables,
    ...variables,
    QUAYSIDE_FILE: await fileIn('bitbucket-6.0.0.bin'),
    BITBUCKET_BUILD_NUMBER: '12',
    BITBUCKET_COMMIT: 'a'.repeat(40),
  }
  await run([process.execPath, join(integrationsFolder, 'bitbucket-pipe/upload.mjs')], env)
  const { stdout } = await run(['sh', '-c', '. ./quayside.env && echo "$QUAYSIDE_BUILD_ID"'])
  const build = await findBuild(service, stdout.trim())
  assert.deepEqual([build.version, build.stream.name, build.build_number], ['6.0.0', 'nightlies', '12'])
})

test('uploads with an npm script as in its README', async () => {
  const readme = await read('npm/README.md')
  const [, packageJson = ''] = /```json\n(.*?)```/s.exec(readme) ?? []
  const [, commands = ''] = /```sh\n(.*?)```/s.exec(readme) ?? []
  const label = '--label smoke'
  assert.ok(packageJson.includes(label))
  const content = { version: '7.1.0', ...(JSON.parse(packageJson) as object) }
  await writeFile(join(project, 'package.json'), JSON.stringify(content))
  await cp(join(integrationsFolder, 'npm/upload.mjs'), join(project, 'scripts/upload.mjs'))
  const adapted = commands.replace(/^export QUAYSIDE_(SERVER|APPLICATION)=.*$/gm, '')
  const npm = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim()
  const path = [process.execPath, npm].map((program) => dirname(program)).join(':')
  await run(['bash', '-eo', 'pipefail', '-c', adapted], { PATH: `${path}:/usr/bin:/bin` })
  const build = await uploaded()
  assert.deepEqual(
    [build.version, build.stream.name, build.labels[0]?.name, build.primary_file.filename],
    ['7.1.0', 'nightlies', 'smoke', 'app.tgz'],
  )
})

test('uploads with the command of the Gradle task and the variables of its properties', async () => {
  const script = await read('gradle/quayside.gradle')
  const [, list = ''] = /def properties = \[(.*?)\]/s.exec(script) ?? []
  const names = [...list.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)
  const [, separator = ''] = /replaceAll\(\/\(\[A-Z\]\)\/, '(.)\$1'\)\.toUpperCase\(\)/.exec(script) ?? []
  assert.match(script, /commandLine 'node', launcher\.path/)
  assert.match(script, /new File\(buildscript\.sourceFile\.parentFile, 'upload\.mjs'\)/)
  const values: Variables = {
    file: await fileIn('build/app release.bin'),
    version: '7.2.0',
    buildNumber: '11',
    labels: 'smoke,qa',
  }
  const env = names.flatMap((name) => {
    const variable = `QUAYSIDE_${name.replaceAll(/([A-Z])/g, `${separator}$1`).toUpperCase()}`
    return values[name] === undefined ? [] : [[variable, values[name]]]
  })
  assert.equal(env.length, 4)
  const launcher = join(integrationsFolder, 'gradle/upload.mjs')
  await run(['node', launcher], Object.fromEntries(env) as Variables)
  const build = await uploaded()
  assert.deepEqual([build.version, build.build_number, build.labels.length], ['7.2.0', '11', 2])
})

test('uploads a file or a folder with the post-build script of Unity Build Automation', async () => {
  const script = join(integrationsFolder, 'unity/post-build.sh')
  const env = { UCB_BUILD_NUMBER: '31', BUILD_RESULT: 'success', QUAYSIDE_VERSION: '7.3.0' }
  await run(['sh', script], { ...env, UNITY_PLAYER_PATH: join(project, await fileIn('game.apk.bin')) })
  const file = await uploaded()
  assert.deepEqual(
    [file.version, file.build_source, file.build_number, file.primary_file.filename],
    ['7.3.0', 'unity-build', '31', 'game.apk.bin'],
  )
  await fileIn('my game/data/level1')
  await run(['sh', script], { ...env, UNITY_PLAYER_PATH: join(project, 'my game') })
  assert.equal((await uploaded()).primary_file.filename, 'my game.tar.gz')
  await assert.rejects(run(['sh', script], { UNITY_PLAYER_PATH: 'absent' }), {
    stderr: /absent does not exist/,
  })
  const { stderr } = await run(['sh', script], { BUILD_RESULT: 'failure' })
  assert.equal(stderr, '')
})

test('starts the launcher of the Unity package with the file and the version of the player', async () => {
  const code = await read('unity/Editor/QuaysideUpload.cs')
  assert.match(code, /new ProcessStartInfo\("node", \$"\\"\{LauncherPath\(\)\}\\""\)/)
  for (const name of ['QUAYSIDE_FILE', 'QUAYSIDE_VERSION'])
    assert.match(code, new RegExp(`Environment\\["${name}"\\]`))
  const files = await readdir(join(integrationsFolder, 'unity/Editor'))
  assert.ok(files.includes('upload.mjs'))
  const { name } = JSON.parse(await read('unity/package.json')) as { name: string }
  assert.ok((await read('unity/README.md')).includes(`Packages/${name}/post-build.sh`))
})

test('uploads with the command of the BuildGraph node', async () => {
  const graph = await read('unreal/QuaysideUpload.xml')
  const text = (value: string) => value.replaceAll('&quot;', '"')
  const options = [...graph.matchAll(/<Option Name="(\w+)" DefaultValue="([^"]*)"/g)]
  const values: Variables = {
    RootDir: '/engine',
    ...Object.fromEntries(options.map(([, name, value]) => [name, value])),
    QuaysideFile: await fileIn('Game 7.4.0.bin'),
    QuaysideStream: 'nightlies',
    QuaysideVersion: '7.5.0',
    QuaysideLauncher: join(integrationsFolder, 'unreal/upload.mjs'),
  }
  const expand = (value: string): string =>
    text(value).replaceAll(/\$\((\w+)\)/g, (_, name: string) => values[name] ?? assert.fail(name))
  for (const [, name = '', value = '', condition] of graph.matchAll(
    /<Property Name="(\w+)" Value="([^"]*)"(?: If="([^"]*)")? \/>/g,
  ))
    if (condition === undefined || expand(condition) !== "'' != ''") values[name] = expand(value)
  const [, exe = '', args = ''] = /<Spawn Exe="(\w+)" Arguments="([^"]*)" \/>/.exec(graph) ?? []
  await run(['sh', '-c', `${exe} ${expand(args)}`], { UE_HORDE_JOBID: '5', uebp_CL: '4711' })
  const build = await uploaded()
  assert.deepEqual([build.version, build.stream.name], ['7.5.0', 'nightlies'])
})
