import assert from 'node:assert/strict'
import { test } from 'node:test'
import { downloadCommand, powerShellQuote } from './verify-command.ts'

const sha256 = 'a'.repeat(64)
const url = 'https://builds.example.com/s/abc/download?build_id=1&file_id=2'

const hostileNames = [
  "it's.exe",
  '’; calc; ’.exe',
  '‘‚‛’’’.exe',
  "'; Remove-Item C:\\ -Recurse; '.exe",
  '$(calc).exe',
  '`$env:PATH`.exe',
  '-OutFile',
  '-',
  'a & b | c ; d.exe',
  '@{x=1}.exe',
  '%PATH%.exe',
  'name. .',
  'CON.txt',
  'ends with \\',
  '“quoted”.exe',
]

/**
 * Splits a command into words and operators as PowerShell does: in a string in single quotes, only two quotes of any kind
 * stand for something else, namely the second of them. Throws if a string has no end.
 */
function powerShellTokens(command: string): { kind: 'string' | 'code'; text: string }[] {
  const isQuote = (character: string | undefined) => /^['\u2018-\u201b]$/.test(character ?? '')
  const tokens: { kind: 'string' | 'code'; text: string }[] = []
  for (let index = 0; index < command.length;) {
    if (!isQuote(command[index])) {
      const start = index
      while (index < command.length && !isQuote(command[index])) index++
      tokens.push({ kind: 'code', text: command.slice(start, index) })
      continue
    }
    let text = ''
    for (index++; ; index++) {
      if (index >= command.length) throw new Error(`no end of string in ${command}`)
      if (isQuote(command[index])) {
        index++
        if (!isQuote(command[index])) break
      }
      text += command[index]
    }
    tokens.push({ kind: 'string', text })
  }
  return tokens
}

test('writes file names as data into commands for PowerShell', () => {
  const codeOf = (command: string) =>
    powerShellTokens(command).flatMap(({ kind, text }) => (kind === 'code' ? [text] : []))
  const harmless = downloadCommand('windows', { filename: 'a.exe', sha256, url })
  for (const filename of hostileNames) {
    const command = downloadCommand('windows', { filename, sha256, url })
    assert.deepEqual(codeOf(command), codeOf(harmless), filename)
    const [name = '', sentUrl, checked] = powerShellTokens(command).flatMap(({ kind, text }) =>
      kind === 'string' ? [text] : [],
    )
    assert.deepEqual([sentUrl, checked], [url, name])
    assert.doesNotMatch(name, /^-|[":*<>?\\|]|[. ]$|^(con|nul)\b/i)
  }
  assert.equal(powerShellQuote('a’b'), "'a’’b'")
})

test('keeps ordinary file names, and uses the program of each system', () => {
  const ofSystem = (device: 'windows' | 'macos' | 'linux') =>
    downloadCommand(device, { filename: 'Aurora 2.14.dmg', sha256, url })
  assert.equal(
    ofSystem('macos'),
    `curl -fL -C - -o 'Aurora 2.14.dmg' '${url}'; printf '%s  %s\\n' ${sha256} 'Aurora 2.14.dmg' | shasum -a 256 -c`,
  )
  assert.match(ofSystem('linux'), /\| sha256sum -c$/)
  assert.match(ofSystem('windows'), /^curl\.exe .* -LiteralPath 'Aurora 2\.14\.dmg'\)\.Hash -eq /)
})
