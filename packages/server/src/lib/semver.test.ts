import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { cpuTimeMs } from '../../test/cpu-time.ts'
import {
  formatVersion,
  formatVersionShort,
  identifiersPattern,
  versionSortKey,
  type Version,
} from './semver.ts'

const identifiers = new RegExp(identifiersPattern)

function parse(text: string): Version {
  const [withoutMeta = '', meta = null] = text.split('+')
  const [core = '', ...rest] = withoutMeta.split('-')
  const [major = 0, minor = 0, patch = 0] = core.split('.').map(Number)
  return { major, minor, patch, extra: rest.length === 0 ? null : rest.join('-'), meta }
}

/**
 * Compares versions independently of the code under test (SemVer 2.0.0, clause 11). Returns a negative
 * number if `a` has lower precedence. Compares pre-releases that differ only in leading zeros, which SemVer does not
 * allow, byte by byte.
 */
function comparePrecedence(a: Version, b: Version): number {
  const core = a.major - b.major || a.minor - b.minor || a.patch - b.patch
  if (core !== 0) return core
  // 11.3: a pre-release version has lower precedence than the release.
  if (a.extra === null || b.extra === null) return Number(a.extra === null) - Number(b.extra === null)
  const [left, right] = [a.extra.split('.'), b.extra.split('.')]
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    const order = compareIdentifiers(left[i] ?? '', right[i] ?? '')
    if (order !== 0) return order
  }
  // 11.4.4: if all preceding identifiers are equal, the longer list has the higher precedence.
  return left.length - right.length || Buffer.compare(Buffer.from(a.extra), Buffer.from(b.extra))
}

function compareIdentifiers(a: string, b: string): number {
  const isNumeric = (text: string): boolean => /^[0-9]+$/.test(text)
  // 11.4.3: numeric identifiers precede alphanumeric identifiers. 11.4.1: numeric identifiers are compared numerically.
  // 11.4.2: alphanumeric identifiers are compared in ASCII order.
  if (isNumeric(a) !== isNumeric(b)) return isNumeric(a) ? -1 : 1
  if (isNumeric(a)) return BigInt(a) < BigInt(b) ? -1 : Number(BigInt(a) > BigInt(b))
  return Buffer.compare(Buffer.from(a, 'ascii'), Buffer.from(b, 'ascii'))
}

const compareKeys = (a: Version, b: Version): number =>
  Buffer.compare(Buffer.from(versionSortKey(a)), Buffer.from(versionSortKey(b)))

const coreNumber = fc.oneof(fc.constantFrom(0, 1, 9, 10, 99, 100, 999, 1000, 9999), fc.nat({ max: 9999 }))
const identifier = fc
  .oneof(
    fc.constantFrom(
      '0',
      '1',
      '2',
      '9',
      '10',
      '11',
      '99',
      '100',
      'a',
      'A',
      'z',
      'Z',
      '-',
      '--',
      '-1',
      '1-',
      '0a',
    ),
    fc.constantFrom(
      'alpha',
      'alpha1',
      'alpha-1',
      'beta',
      'rc',
      'rc1',
      'rc10',
      'rc2',
      'RC',
      '00a',
      '1a',
      '9007199254740993',
    ),
    fc.stringMatching(/^[0-9A-Za-z-]{1,12}$/),
    fc.stringMatching(/^[1-9][0-9]{0,24}$/),
    fc.constantFrom('00', '01', '001', '010', '0100', '0000000000000000000000001'),
  )
  .filter((text) => identifiers.test(text))
const extra = fc
  .array(identifier, { minLength: 1, maxLength: 5 })
  .map((identifiers) => identifiers.join('.'))
  .filter((text) => text.length <= 25)
const version = fc.record({
  major: coreNumber,
  minor: coreNumber,
  patch: coreNumber,
  extra: fc.option(extra),
  meta: fc.option(fc.constantFrom('build.1', 'sha-abc', '001')),
})
/**
 * Pairs of versions, most of which share leading components. Independent random versions would almost always differ in
 * the major version.
 */
const versionPair = fc
  .tuple(version, version, fc.integer({ min: 0, max: 4 }))
  .map(([a, b, shared]): [Version, Version] => {
    if (shared === 0) return [a, b]
    if (shared === 1) return [a, { ...b, major: a.major }]
    const sameCore = { ...b, major: a.major, minor: a.minor, patch: a.patch }
    if (shared === 2 || a.extra === null || b.extra === null) return [a, sameCore]
    return [a, { ...sameCore, extra: shared === 3 ? `${a.extra}.${b.extra}` : `${a.extra}${b.extra}` }]
  })
  .filter(([, b]) => b.extra === null || identifiers.test(b.extra))

test('generates sort keys whose byte order matches the SemVer precedence of any two versions', () => {
  const seen = { lower: 0, equal: 0, higher: 0 }
  fc.assert(
    fc.property(versionPair, ([a, b]) => {
      const order = Math.sign(comparePrecedence(a, b))
      seen[order < 0 ? 'lower' : order > 0 ? 'higher' : 'equal'] += 1
      assert.equal(compareKeys(a, b), order, `${formatVersion(a)} and ${formatVersion(b)}`)
    }),
    { numRuns: 20_000 },
  )
  assert.ok(seen.lower > 1000 && seen.higher > 1000 && seen.equal > 10, JSON.stringify(seen))
})

test('generates strictly increasing sort keys for ordered versions such as the semver.org examples', () => {
  const chain = [
    '0.0.0-0',
    '0.0.0',
    '0.0.1',
    '0.9.9999',
    '0.10.0',
    '1.0.0--',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-alpha-',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.0',
    '1.0.0-rc.00',
    '1.0.0-rc.01',
    '1.0.0-rc.1',
    '1.0.0-rc.01.5',
    '1.0.0-rc.1.6',
    '1.0.0-rc.02',
    '1.0.0-rc.10',
    '1.0.0',
    '1.0.1-0',
    '1.0.1-9',
    '1.0.1-10',
    '1.0.1-10.0',
    '1.0.1-10.a',
    '1.0.1-9a',
    '1.0.1-RC',
    '1.0.1-rc',
    '1.0.1-zzzzzzzzzzzzzzzzzzzzzzzzz',
    '1.0.1',
    '2.0.0',
    '2.1.0',
    '2.1.1',
    '10.0.0',
    '9999.9999.9999',
  ].map(parse)
  for (let i = 1; i < chain.length; i += 1) {
    const [lower, higher] = [chain[i - 1], chain[i]]
    assert.ok(lower !== undefined && higher !== undefined)
    assert.equal(compareKeys(lower, higher), -1, `${formatVersion(lower)} < ${formatVersion(higher)}`)
    assert.ok(comparePrecedence(lower, higher) < 0)
  }
})

test('ignores build metadata in the sort key', () => {
  assert.equal(versionSortKey(parse('1.0.0+20130313144700')), versionSortKey(parse('1.0.0')))
  assert.equal(versionSortKey(parse('1.0.0-rc.1+a')), versionSortKey(parse('1.0.0-rc.1+b')))
})

const validIdentifiers = [
  '0',
  'alpha',
  'alpha.1',
  '0.3.7',
  'x.7.z.92',
  'x-y-z.--',
  '-',
  '0a',
  '00-1',
  '0-0',
  'rc-1.0.10',
  '01',
  '00',
  'rc.01',
  '2025.01.01',
  '001',
  '20130313144700',
  'exp.sha.5114f85',
  '21AF26D3---117B344092BD',
  '0.00',
]
const invalidIdentifiers = ['', '.', 'a.', '.a', 'a..b', 'a b', 'a_b', 'ä', 'a+b', 'a\n', '\na', 'a\0', '1.٣']

for (const text of validIdentifiers)
  test(`accepts "${text}" as the pre-release part or build metadata of a version`, () =>
    assert.match(text, identifiers))

for (const text of invalidIdentifiers)
  test(`rejects ${JSON.stringify(text)} as the pre-release part or build metadata of a version`, () =>
    assert.doesNotMatch(text, identifiers))

test('rejects long malicious identifiers within 2 s of CPU time', () => {
  const started = cpuTimeMs()
  for (const piece of ['0', '0.', 'a-', '1a.', '-']) assert.ok(!identifiers.test(`${piece.repeat(100_000)}!`))
  assert.ok(cpuTimeMs() - started < 2000)
})

test('formats a version with or without its pre-release part and build metadata', () => {
  assert.equal(formatVersion(parse('1.2.3')), '1.2.3')
  assert.equal(formatVersion(parse('1.2.3-rc.1+build.5')), '1.2.3-rc.1+build.5')
  assert.equal(formatVersion(parse('1.2.3+build.5')), '1.2.3+build.5')
  assert.equal(formatVersionShort(parse('1.2.3-rc.1+build.5')), '1.2.3')
})
