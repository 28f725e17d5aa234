import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { failure, ok, reasonOf, warning, type Finding } from './finding.ts'

const timeoutMs = 10_000
const renewDays = 14
/** The maximum lifetime of a TLS certificate that iOS accepts from a public authority. */
const maxLifetimeDays = 398
const minRsaBits = 2048
const dayMs = 24 * 60 * 60 * 1000

/** Checks whether the certificate of the public URL fulfills the requirements of iOS for the installation of apps. */
export async function checkTls(publicUrl: string, now: Date): Promise<Finding[]> {
  const { protocol, hostname, port } = new URL(publicUrl)
  if (protocol !== 'https:')
    return [
      warning(
        'tls',
        `the public URL ${publicUrl} is not https`,
        'iOS installs apps only over https, and passwords are sent unencrypted. Set up TLS; docs/reverse-proxy.md shows how.',
      ),
    ]
  try {
    const socket = await openConnection(hostname.replaceAll(/[[\]]/g, ''), Number(port || 443))
    try {
      return certificateFindings(socket, now)
    } finally {
      socket.destroy()
    }
  } catch (error) {
    return [failure('tls', reasonOf(error), 'Check the DNS name, the firewall and the reverse proxy.')]
  }
}

async function openConnection(host: string, port: number): Promise<TLSSocket> {
  const name = isIP(host) === 0 ? { servername: host } : {}
  // The certificate is examined below, so that every problem can be reported.
  const socket = connect({ host, port, ...name, rejectUnauthorized: false })
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no response from ${host}:${port}`)))
  await once(socket, 'secureConnect')
  return socket
}

function certificateFindings(socket: TLSSocket, now: Date): Finding[] {
  const findings: Finding[] = []
  const { raw } = socket.getPeerCertificate()
  const certificate = new X509Certificate(raw)
  if (!socket.authorized) findings.push(untrusted(String(socket.authorizationError)))
  const protocol = socket.getProtocol() ?? 'unknown'
  if (!['TLSv1.2', 'TLSv1.3'].includes(protocol))
    findings.push(
      failure('tls', `the connection uses ${protocol}`, 'Enable TLS 1.2 and 1.3 in the reverse proxy.'),
    )
  const [start, end] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  const daysLeft = Math.floor((end - now.getTime()) / dayMs)
  if (daysLeft >= 0 && daysLeft < renewDays)
    findings.push(
      warning(
        'tls',
        `the certificate expires in ${daysLeft} days`,
        'Renew it, and check the automatic renewal.',
      ),
    )
  const lifetimeDays = Math.ceil((end - start) / dayMs)
  if (lifetimeDays > maxLifetimeDays)
    findings.push(
      warning(
        'tls',
        `the certificate is valid for ${lifetimeDays} days`,
        `iOS rejects certificates of public authorities that are valid for more than ${maxLifetimeDays} days.`,
      ),
    )
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey
  if (type === 'rsa' && (details?.modulusLength ?? 0) < minRsaBits)
    findings.push(
      failure('tls', `the RSA key has ${details?.modulusLength} bits`, 'iOS requires at least 2048 bits.'),
    )
  if (certificate.subjectAltName === undefined)
    findings.push(
      failure(
        'tls',
        'the certificate has no subject alternative name',
        'iOS requires one. Issue a new certificate.',
      ),
    )
  return findings.length > 0
    ? findings
    : [ok('tls', `${protocol}, the certificate is trusted and valid for ${daysLeft} more days`)]
}

function untrusted(reason: string): Finding {
  const isChain = /UNABLE_TO_VERIFY_LEAF|UNABLE_TO_GET_ISSUER/.test(reason)
  return failure(
    'tls',
    `the certificate is not trusted (${reason})`,
    isChain
      ? 'Configure the full chain with the intermediate certificates in the reverse proxy. iOS does not fetch them.'
      : 'Use a certificate of a public authority, such as Let’s Encrypt, for this host. iOS installs no apps from other servers unless every device trusts the authority.',
  )
}
