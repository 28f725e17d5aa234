import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { assertAcceptedSettings } from './accepted-settings.ts'
import { deployFolder, exampleSecret, readDeployFile, repository } from './deploy-files.ts'
import { assertKubernetesTypes, whyNoKubernetesTypes } from './kubernetes-types.ts'

type Labels = Record<string, string>
type Container = {
  name: string
  env?: { name: string; value: string }[]
  envFrom: ({ configMapRef: { name: string } } | { secretRef: { name: string } })[]
  ports?: { name: string; containerPort: number }[]
  volumeMounts: { name: string }[]
  securityContext: object
  resources: { requests: Labels; limits: Labels }
  startupProbe?: object
  livenessProbe?: object
  readinessProbe?: object
}
type Pod = { metadata: { labels: Labels }; spec: PodSpec }
type PodSpec = {
  securityContext: object
  containers: [Container]
  volumes: { name: string }[]
  topologySpreadConstraints?: { labelSelector: { matchLabels: Labels } }[]
}
type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec: { selector?: Labels & { matchLabels: Labels }; template: Pod; ports: { targetPort: string }[] }
}

const folder = join(deployFolder, 'kubernetes')
const files = globSync('**/*.yaml', { cwd: folder, exclude: ['**/kustomization.yaml'] })
const manifests = files.flatMap((file) =>
  parseAllDocuments(readDeployFile(`kubernetes/${file}`)).map((document) => document.toJS() as Manifest),
)
const pods = manifests.flatMap(({ metadata, spec }) =>
  spec?.template === undefined ? [] : [{ name: metadata.name, ...spec.template }],
)

function find(kind: string, name: string): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)
  assert.ok(found, `${kind} ${name}`)
  return found
}

const skip = whyNoKubernetesTypes() ?? false

test('matches the schema of the Kubernetes API', { skip }, async () => {
  const deployment = manifests.find(({ kind }) => kind === 'Deployment')
  assert.ok(deployment)
  await assertKubernetesTypes(manifests, [
    { ...deployment, spec: { ...deployment.spec, replica: 2 } },
    { ...deployment, spec: { ...deployment.spec, replicas: '2' } },
    { ...deployment, spec: {} },
  ])
})

test('gives each container settings that the server accepts', () => {
  for (const { name, spec } of pods) {
    const [{ env = [], envFrom }] = spec.containers
    const values = envFrom.map((source) =>
      'configMapRef' in source
        ? find('ConfigMap', source.configMapRef.name).data
        : find('Secret', source.secretRef.name).stringData,
    )
    const settings = Object.assign(
      {},
      ...values,
      ...env.map((entry) => ({ [entry.name]: entry.value })),
    ) as Labels
    for (const secret of ['QUAYSIDE_SECRET', 'QUAYSIDE_ADMIN_PASSWORD']) {
      assert.equal(settings[secret], '')
      settings[secret] = exampleSecret
    }
    assertAcceptedSettings(name, settings)
  }
  const roles = pods.map(({ name, spec }) => [name, spec.containers[0].env?.[0]?.value])
  assert.deepEqual(Object.fromEntries(roles), {
    'quayside-api': 'api',
    'quayside-worker': 'worker',
    'quayside-storage-setup': undefined,
  })
})

test('selects the pods and ports that the manifests declare', () => {
  const contains = (labels: Labels, part: Labels) =>
    Object.entries(part).every(([key, value]) => labels[key] === value)
  for (const { kind, metadata, spec } of manifests) {
    const name = `${kind} ${metadata.name}`
    const selected = spec?.selector?.matchLabels ?? spec?.selector
    if (selected === undefined) continue
    const matching = pods.filter((pod) => contains(pod.metadata.labels, selected))
    assert.equal(matching.length, 1, name)
    if (kind === 'Deployment') assert.equal(matching[0]?.name, metadata.name)
    if (kind === 'Service')
      for (const { targetPort } of spec.ports)
        assert.ok(
          matching[0]?.spec.containers[0].ports?.some((port) => port.name === targetPort),
          name,
        )
  }
  for (const { name, spec } of pods) {
    const volumes = spec.volumes.map((volume) => volume.name)
    assert.deepEqual(
      spec.containers[0].volumeMounts.map((mount) => mount.name),
      volumes,
      name,
    )
    for (const { labelSelector } of spec.topologySpreadConstraints ?? [])
      assert.equal(pods.find((pod) => contains(pod.metadata.labels, labelSelector.matchLabels))?.name, name)
  }
})

test('meets the Restricted pod security standard with bounded memory and probes', () => {
  for (const { name, spec } of pods) {
    const [container] = spec.containers
    const { runAsNonRoot, seccompProfile } = spec.securityContext as Record<string, unknown>
    assert.deepEqual(
      { runAsNonRoot, seccompProfile },
      { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    )
    assert.deepEqual(
      container.securityContext,
      {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      name,
    )
    assert.ok(container.resources.requests['cpu'] && container.resources.limits['memory'], name)
    if (name === 'quayside-storage-setup') continue
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe]
    assert.deepEqual(
      probes.map((probe) => /\/(livez|readyz)/.exec(JSON.stringify(probe))?.[1]),
      ['livez', 'livez', 'readyz'],
    )
  }
})

test('lists in kustomization.yaml every manifest that is not applied separately', () => {
  const { resources } = parse(readDeployFile('kubernetes/kustomization.yaml')) as {
    resources: string[]
  }
  const separate = new Set(['secret.example.yaml', 'storage-setup/job.yaml'])
  assert.deepEqual(resources.toSorted(), files.filter((file) => !separate.has(file)).toSorted())
})

test('applies the changes that docs/kubernetes.md describes', async (t) => {
  const temporary = await mkdtemp(join(tmpdir(), 'quayside-kustomize-'))
  t.after(() => rm(temporary, { recursive: true, force: true }))
  const page = await readFile(join(repository, 'docs/kubernetes.md'), 'utf8')
  const block = /^ *```yaml\n(?<yaml>.*?)\n *```/ms.exec(page)?.groups?.['yaml'] ?? ''
  const base = '  - ../quayside/deploy/kubernetes'
  await cp(folder, join(temporary, 'quayside/deploy/kubernetes'), { recursive: true })
  await mkdir(join(temporary, 'my-quayside'))
  await writeFile(
    join(temporary, 'my-quayside/kustomization.yaml'),
    block.replaceAll(/^ {3}/gm, '').replace(base, `${base}\n${base}/storage-setup`),
  )
  const args = ['kustomize', join(temporary, 'my-quayside')]
  const { error, status, stdout, stderr } = spawnSync('kubectl', args, { encoding: 'utf8' })
  if (error !== undefined) return t.skip('needs kubectl')
  assert.equal(status, 0, stderr)
  assert.equal(stdout.match(/^kind: /gm)?.length, 7)
  assert.equal(stdout.match(/^ {2}namespace: quayside$/gm)?.length, 7)
  assert.equal(stdout.match(/image: registry\.example\.com\/quayside:0\.1\.0$/gm)?.length, 3)
  assert.doesNotMatch(stdout, /builds\.example\.com$/m)
})
