import { request } from 'undici'
import type { SecretBox } from '../../crypto/secret-box.ts'
import { askForDiagnosis, diagnosisHeader, type Diagnosis } from '../../http/wire/diagnosis.ts'
import { failure, ok, reasonOf, warning, type Finding } from '../../lib/finding.ts'
import { isLoopback } from '../../net/ip-address.ts'

const timeoutMs = 10_000

type Target = { publicUrl: string; host: string; port: number; trustedProxies: readonly string[] }

/** Checks that the server runs, and that the public URL leads to it with the correct headers. */
export async function checkPublicUrl(target: Target, box: SecretBox): Promise<Finding[]> {
  const local = await findDiagnosis(listenUrl(target), box)
  if ('problem' in local) {
    const advice = 'Start the server with the same settings. The other checks of the public URL need it.'
    return [failure('server', `${listenUrl(target)}: ${local.problem}`, advice)]
  }
  const server = ok('server', `runs at ${listenUrl(target)} and is ready`)
  const remote = await findDiagnosis(target.publicUrl, box)
  if ('problem' in remote)
    return [
      server,
      failure(
        'public URL',
        `${target.publicUrl}: ${remote.problem}`,
        'Correct QUAYSIDE_PUBLIC_URL, the DNS name, the firewall or the reverse proxy.',
      ),
    ]
  return [
    server,
    ok('public URL', `${target.publicUrl} leads to this server`),
    ...headerFindings(target, remote),
  ]
}

/** Returns the address at which the server listens. */
function listenUrl({ host, port }: Target): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

async function findDiagnosis(url: string, box: SecretBox): Promise<Diagnosis | { problem: string }> {
  const { header, proof } = askForDiagnosis(box)
  try {
    const { statusCode, body } = await request(`${url}/readyz`, {
      headers: { [diagnosisHeader]: header },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
    const text = await body.text()
    const { diagnosis, message } = parseJson(text)
    if (diagnosis?.proof === proof)
      return statusCode === 200 ? diagnosis : { problem: `not ready: ${message}` }
    return {
      problem: `another server responded with status ${statusCode}, or one with other settings or a proxy error`,
    }
  } catch (error) {
    return { problem: reasonOf(error) }
  }
}

function parseJson(text: string): { diagnosis?: Diagnosis; message?: string } {
  try {
    return JSON.parse(text) as { diagnosis?: Diagnosis; message?: string }
  } catch {
    return {}
  }
}

function headerFindings({ publicUrl, trustedProxies }: Target, found: Diagnosis): Finding[] {
  const { host, protocol } = new URL(publicUrl)
  const findings: Finding[] = []
  findings.push(
    found.host === host
      ? ok('Host header', `the server receives ${host}`)
      : warning(
          'Host header',
          `the server receives ${found.host ?? 'none'} instead of ${host}`,
          'Let the reverse proxy pass the Host header on (nginx: proxy_set_header Host $http_host).',
        ),
  )
  const isDirect = found.forwarded_for === null
  if (!isDirect && trustedProxies.length === 0)
    findings.push(
      warning(
        'proxy',
        'a reverse proxy sends X-Forwarded-For, but QUAYSIDE_TRUSTED_PROXIES is not set',
        'Set it to the address of the proxy. Otherwise, all clients share the limits of one address.',
      ),
    )
  else if (isDirect && protocol === 'https:')
    findings.push(
      warning(
        'proxy',
        'the reverse proxy does not send X-Forwarded-For',
        'Let it send the header (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for).',
      ),
    )
  else if (
    !isDirect &&
    found.client_address !== null &&
    isLoopback(found.client_address) &&
    !isLocalUrl(publicUrl)
  )
    findings.push(
      warning(
        'proxy',
        `the server counts this request as one of ${found.client_address}`,
        'Add the address of the proxy to QUAYSIDE_TRUSTED_PROXIES.',
      ),
    )
  else
    findings.push(
      ok('proxy', isDirect ? 'clients connect directly' : `the client address is ${found.client_address}`),
    )
  return findings
}

const isLocalUrl = (url: string): boolean => isLoopback(new URL(url).hostname)
