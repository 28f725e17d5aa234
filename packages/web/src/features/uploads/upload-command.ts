const usualTypes: Readonly<Record<string, string>> = {
  android: 'apk',
  ios: 'ipa',
  windows: 'msi',
  macos: 'dmg',
  linux: 'tar.gz',
  debian: 'deb',
  redhat: 'rpm',
  opensuse: 'rpm',
  quest: 'apk',
  pico: 'apk',
}

/** Returns the name of a file that the first of the platforms accepts, for a command to paste and adapt. */
export const exampleFile = ([platform = 'generic']: readonly string[]): string =>
  `app-1.0.0.${usualTypes[platform] ?? 'zip'}`

type Options = {
  applicationId: string
  serviceUrl: string
  /** The name of the file. */
  file: string
  stream?: string
  labels?: readonly string[]
}

/** Returns the command that uploads a file with these attributes. */
export function uploadCommand({ applicationId, serviceUrl, file, stream, labels = [] }: Options): string {
  const words = [
    'quayside upload',
    quoted(file),
    `--application ${applicationId}`,
    ...(stream === undefined ? [] : [`--stream ${quoted(stream)}`]),
    ...labels.map((label) => `--label ${quoted(label)}`),
    `--server ${quoted(serviceUrl)}`,
  ]
  return words.join(' ')
}

/** Quotes a word for a POSIX shell if this is necessary. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) && !word.startsWith('-')
    ? word
    : `'${word.replaceAll("'", String.raw`'\''`)}'`
