import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect, rootCertificates, type DetailedPeerCertificate, type TLSSocket } from 'node:tls'
import { failure, ok, reasonOf, warning, type Finding } from '../lib/finding.ts'
import { addressMatcher, isLoopback, normalizeAddress } from './ip-address.ts'

const timeoutMs = 10_000
const renewDays = 14
/** The maximum lifetime of a TLS certificate that iOS accepts from a public authority. */
const maxLifetimeDays = 398
const minRsaBits = 2048
const dayMs = 24 * 60 * 60 * 1000

type Options = {
  now: Date
  /** Certificates in PEM of authorities that are trusted besides those of Node. */
  authorities?: readonly string[]
}

/**
 * Connects to the public URL as a device does, and checks whether iOS would accept the server for the installation of
 * apps. It connects to no other address.
 */
export async function checkTls(publicUrl: string, { now, authorities = [] }: Options): Promise<Finding[]> {
  const { protocol, hostname, port } = new URL(publicUrl)
  if (protocol !== 'https:')
    return [
      warning(
        'tls',
        `the public URL ${publicUrl} is not https`,
        'iOS installs apps only over https, and passwords are sent unencrypted. Set up TLS; docs/reverse-proxy.md shows how.',
      ),
    ]
  const host = hostname.replaceAll(/[[\]]/g, '')
  try {
    const socket = await openConnection({ host, port: Number(port || 443) }, authorities)
    try {
      return [...certificateFindings(socket, host, now), ...networkFindings(socket)]
    } finally {
      socket.destroy()
    }
  } catch (error) {
    return [unreachable(error)]
  }
}

async function openConnection(
  { host, port }: { host: string; port: number },
  authorities: readonly string[],
): Promise<TLSSocket> {
  const socket = connect({
    host,
    port,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(authorities.length === 0 ? {} : { ca: [...rootCertificates, ...authorities] }),
    // The certificate and the version are examined below, so that every problem can be reported.
    rejectUnauthorized: false,
    minVersion: 'TLSv1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  })
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no response from ${host}:${port}`)))
  await once(socket, 'secureConnect')
  return socket
}

function unreachable(error: unknown): Finding {
  const reason = reasonOf(error)
  if (/WRONG_VERSION_NUMBER|wrong version number|packet length too long/i.test(reason))
    return failure(
      'tls',
      'the server at the public URL does not speak TLS',
      'Enable TLS in the reverse proxy.',
    )
  return failure('tls', reason, 'Check the DNS name, the firewall and the reverse proxy.')
}

function certificateFindings(socket: TLSSocket, host: string, now: Date): Finding[] {
  const findings: Finding[] = []
  const { raw } = socket.getPeerCertificate()
  const certificate = new X509Certificate(raw)
  if (!socket.authorized) findings.push(untrusted(socket, certificate, host))
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
  findings.push(...keyFindings(certificate, Math.ceil((end - start) / dayMs)))
  if (socket.authorized) findings.push(...privateAuthority(socket))
  return findings.length > 0
    ? findings
    : [ok('tls', `${protocol}, the certificate is trusted and valid for ${daysLeft} more days`)]
}

function keyFindings(certificate: X509Certificate, lifetimeDays: number): Finding[] {
  const findings: Finding[] = []
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
  return findings
}

const publicAuthority =
  'Use a certificate of a public authority, such as Let’s Encrypt. iOS installs no apps from other servers unless every device trusts the authority.'

/** Explains why the certificate is not trusted. OpenSSL reports only the first problem. */
function untrusted(socket: TLSSocket, certificate: X509Certificate, host: string): Finding {
  // The types declare an error, but this is the code of the error.
  const reason = String(socket.authorizationError)
  const { code = reason } = socket.authorizationError as unknown as { code?: string }
  const name = nameOf(certificate.issuer)
  if (code.includes('ALTNAME_INVALID'))
    return failure(
      'tls',
      `the certificate is for ${certificate.subjectAltName?.replaceAll('DNS:', '') ?? 'another host'} and not for ${host}`,
      'Issue a certificate for the host name of QUAYSIDE_PUBLIC_URL, or correct the setting.',
    )
  if (code === 'CERT_HAS_EXPIRED')
    return failure(
      'tls',
      `the certificate expired on ${new Date(certificate.validTo).toISOString().slice(0, 10)}`,
      'Renew it, and check the automatic renewal.',
    )
  if (code === 'CERT_NOT_YET_VALID')
    return failure(
      'tls',
      `the certificate is valid only from ${new Date(certificate.validFrom).toISOString().slice(0, 10)}`,
      'Check the clock of the server, or issue a new certificate.',
    )
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT')
    return failure('tls', 'the certificate is self-signed', publicAuthority)
  if (code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE')
    return failure(
      'tls',
      `the chain is incomplete: the server does not send the certificate of ${name}`,
      `Configure the full chain with the intermediate certificates in the reverse proxy. iOS does not fetch them. ${publicAuthority}`,
    )
  return failure('tls', `the certificate is not trusted (${code})`, publicAuthority)
}

/** Returns a warning if this computer trusts the certificate, but devices do not. */
function privateAuthority(socket: TLSSocket): Finding[] {
  let certificate: DetailedPeerCertificate = socket.getPeerCertificate(true)
  const seen = new Set<string>()
  while (certificate.issuerCertificate !== undefined && !seen.has(certificate.fingerprint256)) {
    seen.add(certificate.fingerprint256)
    certificate = certificate.issuerCertificate
  }
  const root = certificate.raw.toString('base64')
  const isPublic = rootCertificates.some((pem) => pem.replaceAll(/-----[^-]+-----|\s/g, '') === root)
  if (isPublic) return []
  const name = String(certificate.subject.CN ?? certificate.subject.O ?? 'a private authority')
  return [
    warning(
      'tls',
      `the certificate is from ${name}, which is not a public authority`,
      'Install the certificate of the authority on each device, and on iOS turn it on in Settings › General › About › Certificate Trust Settings.',
    ),
  ]
}

const nameOf = (subject: string): string => /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')

const isPrivate = addressMatcher([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  'fe80::/10',
])

/** Returns what a device needs besides the server if the server is in a private network. */
function networkFindings({ remoteAddress }: TLSSocket): Finding[] {
  const address = normalizeAddress(remoteAddress ?? '')
  if (address === undefined || !(isPrivate(address) || isLoopback(address))) return []
  return [
    warning(
      'iOS',
      `the public URL leads to the private address ${address}`,
      'To install apps, an iPhone or iPad must be in this network and also reach ocsp.apple.com, and for enterprise apps ppq.apple.com. Without them, iOS cannot check the signature of the app.',
    ),
  ]
}
