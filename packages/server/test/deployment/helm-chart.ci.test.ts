import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { describe, test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { assertAcceptedSettings } from './accepted-settings.ts'
import { exampleSecret, readDeployFile } from './deploy-files.ts'
import {
  chart,
  renderChart,
  renderer,
  whyNoRenderer,
  type RenderedManifest,
  type Values,
} from './helm-chart.ts'
import { assertKubernetesTypes, whyNoKubernetesTypes } from './kubernetes-types.ts'

const secretFile = 'secret.example.yaml'
const readManifests = (file: string) =>
  parseAllDocuments(readDeployFile(`kubernetes/${file}`)).map(
    (document) => document.toJS() as RenderedManifest,
  )
const files = globSync('**/*.yaml', {
  cwd: `${import.meta.dirname}/../../../../deploy/kubernetes`,
  exclude: ['**/kustomization.yaml', secretFile],
})

const everything = {
  image: { repository: 'registry.example.com/quayside', tag: '1.2.3', pullSecrets: ['registry'] },
  settings: { QUAYSIDE_MAIL_FROM: 'builds@example.com' },
  database: { secretName: 'postgres-app' },
  ingress: { className: 'nginx', annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' } },
  serviceAccount: {
    create: true,
    annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/builds' },
  },
  networkPolicy: { enabled: true },
  storageSetup: { enabled: true },
  nodeSelector: { 'kubernetes.io/arch': 'arm64' },
  tolerations: [{ key: 'builds', operator: 'Exists' }],
  podAnnotations: { 'example.com/team': 'release' },
}

/** Removes what only Helm adds, and what only the chart sets explicitly. */
function comparable(manifest: RenderedManifest): Values {
  const text = JSON.stringify(manifest, (key, value: unknown) => {
    if (
      /^(?:app\.kubernetes\.io\/(?:instance|managed-by|version)|helm\.sh\/chart|checksum\/settings)$/.test(
        key,
      )
    )
      return undefined
    if (key === 'imagePullPolicy') return undefined
    if (key === 'image') return 'quayside'
    if (key === 'name' && value === 'quayside-storage-setup-1') return 'quayside-storage-setup'
    return key === 'annotations' && Object.keys(value as object).join('') === 'checksum/settings'
      ? undefined
      : value
  })
  return JSON.parse(text) as Values
}

const sorted = (manifests: readonly RenderedManifest[]): Values[] =>
  manifests
    .toSorted((a, b) => `${a.kind} ${a.metadata.name}`.localeCompare(`${b.kind} ${b.metadata.name}`))
    .map(comparable)

describe(`the Helm chart, rendered with ${renderer}`, { skip: whyNoRenderer() ?? false }, () => {
  test('creates the objects of deploy/kubernetes by default', async () => {
    const { manifests } = await renderChart({ storageSetup: { enabled: true } })
    assert.deepEqual(sorted(manifests), sorted(files.flatMap(readManifests)))
    const { manifests: withoutJob } = await renderChart()
    assert.equal(withoutJob.length, manifests.length - 1)
  })

  test('matches the schema of the Kubernetes API', { skip: whyNoKubernetesTypes() ?? false }, async () => {
    for (const changes of [{}, everything])
      await assertKubernetesTypes((await renderChart(changes)).manifests)
  })

  test('gives the server settings that it accepts', async () => {
    const { manifests } = await renderChart(everything)
    const { data } = manifests.find(({ kind }) => kind === 'ConfigMap') ?? {}
    const [secret] = readManifests(secretFile) as unknown as [{ stringData: Record<string, string> }]
    const secrets = { QUAYSIDE_SECRET: exampleSecret, QUAYSIDE_ADMIN_PASSWORD: exampleSecret }
    assertAcceptedSettings('the chart', { ...data, ...secret.stringData, ...secrets, QUAYSIDE_ROLE: 'api' })
    assert.equal(data?.['QUAYSIDE_MAIL_FROM'], 'builds@example.com')
  })

  test('applies every value', async () => {
    const { manifests } = await renderChart(everything)
    const text = JSON.stringify(manifests)
    assert.equal(text.match(/"image":"registry\.example\.com\/quayside:1\.2\.3"/g)?.length, 3)
    assert.equal(text.match(/"secretKeyRef":\{"name":"postgres-app","key":"uri"\}/g)?.length, 3)
    assert.equal(text.match(/"serviceAccountName":"quayside"/g)?.length, 3)
    for (const part of ['registry', 'letsencrypt', 'arn:aws:iam', 'NetworkPolicy', 'arm64', 'Exists', 'team'])
      assert.ok(text.includes(part), part)
    const { manifests: few, notes } = await renderChart({ ingress: { enabled: false }, api: { replicas: 5 } })
    assert.ok(!few.some(({ kind }) => kind === 'Ingress'))
    assert.equal(few.find(({ metadata }) => metadata.name === 'quayside-api')?.spec?.['replicas'], 5)
    assert.match(notes, /kubectl port-forward/)
  })

  test('restarts the nodes after a change of the settings', async () => {
    const checksums = await Promise.all(
      [{}, {}, { logLevel: 'debug' }].map(
        async (changes) =>
          JSON.stringify(await renderChart(changes)).match(/"checksum\/settings":"\w{64}"/)?.[0],
      ),
    )
    assert.ok(checksums[0])
    assert.equal(checksums[0], checksums[1])
    assert.notEqual(checksums[0], checksums[2])
  })

  test('says in its notes how to reach the server', async () => {
    const { notes } = await renderChart()
    assert.match(notes, new RegExp(`Quayside ${chart.appVersion} will be available at https://builds`))
    assert.match(notes, /kubectl exec .*quayside-server admin doctor/)
  })
})
