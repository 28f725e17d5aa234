/** Returns the man page quayside-server(1), derived from the output of `quayside-server --help`. */
export function manualPage(help: string): string {
  const [synopsis = '', description = '', ...sections] = help.trim().split('\n\n')
  const usage = synopsis.split('\n').map((line) => line.replace(/^(?:Usage:)? +/, ''))
  const lines = [
    '.TH QUAYSIDE-SERVER 1 "" "Quayside" "Quayside Manual"',
    '.SH NAME',
    'quayside\\-server \\- run and administer a Quayside server',
    '.SH SYNOPSIS',
    ...usage.flatMap((line) => [roff(line), '.br']),
    '.SH DESCRIPTION',
    roff(description),
    '.PP',
    'The Debian package runs the server as the service',
    '.BR quayside.service .',
    'As root, the commands',
    '.BR admin ", " storage " and " doctor',
    'run as the user',
    '.B quayside',
    'with the settings of the service.',
    ...sections.flatMap(section),
    '.SH FILES',
    ...files.flatMap(entry),
    '.SH SEE ALSO',
    '.BR systemctl (1),',
    '.BR journalctl (1)',
  ]
  return `${lines.join('\n')}\n`
}

type Entry = readonly [term: string, description: string]

const files: readonly Entry[] = [
  ['/etc/quayside.env', 'settings of the service'],
  ['/var/lib/quayside', 'files, keys and the database of the service'],
  ['/var/backups/quayside', 'backups that quayside-backup.service makes'],
]

function section(text: string): string[] {
  const [heading = '', ...lines] = text.split('\n')
  if (!heading.endsWith(':')) return ['.PP', ...text.split('\n').map(roff)]
  return [
    `.SH ${heading.slice(0, -1).toUpperCase()}`,
    ...lines.flatMap((line) => {
      const [, term, description] = /^ {2}(\S.*?) {2,}(\S.*)$/.exec(line) ?? []
      return term === undefined || description === undefined
        ? ['.PP', roff(line.trim())]
        : entry([term, description])
    }),
  ]
}

const entry = ([term, description]: Entry): string[] => ['.TP', `.B ${roff(term)}`, roff(description)]

/** Escapes characters that troff interprets. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')
