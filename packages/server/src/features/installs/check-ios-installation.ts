import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Nullable } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { checkTls } from '../../net/check-tls.ts'
import { checkManifestAddress } from './manifest-check.ts'

const IosInstallationCheck = Type.Object(
  {
    public_url: Type.String(),
    passed: Type.Boolean({ description: 'Whether no finding is a failure or a warning.' }),
    findings: Type.Array(
      Type.Object({
        check: Type.String(),
        status: Type.Enum(['ok', 'warning', 'failure']),
        detail: Type.String({ description: 'What was found.' }),
        advice: Nullable(Type.String({ description: 'What to do; `null` if the status is `ok`.' })),
      }),
    ),
  },
  { title: 'IosInstallationCheck' },
)

export const checkIosInstallation = endpoint({
  method: 'GET',
  path: '/workspace/ios-installation-check',
  scope: { workspace: 'workspace:read' },
  summary: 'Check the public URL for iOS',
  description:
    'Connects to the public URL of the server as a device does, and checks what iOS requires for the installation of apps: https, a complete and trusted chain of certificates that does not expire soon, TLS 1.2, and a response of the server at the address of manifests. `quayside-server doctor` checks the same.',
  returns: one(IosInstallationCheck),
  async handle({ config: { publicUrl }, clock, exclusive, secretBox }) {
    // One connection at a time, so that nobody can use the server to flood another one.
    const findings = await exclusive('public URL check', async () => [
      ...(await checkTls(publicUrl, { now: clock.now() })),
      await checkManifestAddress({ publicUrl }, secretBox),
    ])
    return {
      message: 'Public URL checked.',
      data: {
        public_url: publicUrl,
        passed: findings.every(({ status }) => status === 'ok'),
        findings: findings.map(({ check, status, detail, advice = null }) => ({
          check,
          status,
          detail,
          advice,
        })),
      },
    }
  },
})
