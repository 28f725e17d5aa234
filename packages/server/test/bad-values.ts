const deep = 10_000

/** JSON values that must not cause a 5xx in any field. Some fields accept some of these values. */
export const badJson: readonly string[] = [
  'null',
  'true',
  '-1',
  '0',
  '1.5',
  '1e400',
  '-1e400',
  '1e21',
  '9007199254740993',
  '123456789012345678901234567890',
  '"1e3"',
  '"0x10"',
  '"-1"',
  '"\u0661"',
  '"99999999999999999999"',
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00x"',
  '"\u{1f600}"',
  '"\\r\\nX-Header: 1"',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"%00"',
  '"%s%n$1"',
  '"../../etc/passwd"',
  '"javascript:alert(1)"',
  '"http://[::1"',
  '"\' or 1=1 --"',
  '"2026-02-30T25:61:61Z"',
  '"+275761-01-01T00:00:00Z"',
  '"9999-12-31T23:59:59-14:00"',
  '"0000-00-00"',
  `"${'x'.repeat(256)}"`,
  `"${'😀'.repeat(5000)}"`,
  `"${'a,'.repeat(3000)}"`,
  '[]',
  '[null]',
  '[[]]',
  '["x","x"]',
  `[${'1,'.repeat(10_000)}1]`,
  '{}',
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"length":1e9}',
  '{"toString":1,"toJSON":1}',
  '['.repeat(deep) + ']'.repeat(deep),
  `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
]

const badQueryValues =
  '-1 0 1.5 1e3 1e400 NaN Infinity 9007199254740993 99999999999999999999 0x10 %00 a%00b %ff %ED%A0%80 % %zz ' +
  "%E2%82 + %2B %20 %0d%0aX:1 true null __proto__ constructor %25 _ \\ , ,,, ' %22 %F0%9F%98%80 2026-02-30 " +
  '2026-11-21T00:00:00%2B99:99 0000-01-01 9999-12-31T23:59:59-14:00'

const queryValues = [
  ...badQueryValues.split(' '),
  'x'.repeat(51),
  'x'.repeat(6000),
  'a,'.repeat(2400),
  'a&'.repeat(1000),
]

/** Returns URL-encoded query strings with invalid values for one parameter. */
export const badQueries = (name: string): readonly string[] => [
  `${name}=a&${name}=b`,
  `${name}[]=1`,
  `${name}[a]=1&${name}[__proto__]=1`,
  ...queryValues.map((value) => `${name}=${value}`),
  // The queries without a value come last, because a call with one of them may succeed and change data.
  name,
  `${name}=`,
]

const badSegmentValues =
  '%00 a%00 %ff % %zz %2 %E2%82 %ED%A0%80 %2e%2e %2e%2e%2f ..%5c %2F %20 __proto__ constructor null * :id ; @ ' +
  '%3F %23 & %F0%9F%98%80 %0d%0a 0 -1 00000000-0000-0000-0000-000000000000'

/** Invalid URL-encoded path segments. */
export const badSegments: readonly string[] = [
  ...badSegmentValues.split(' '),
  ...[255, 256, 1001, 9000].map((length) => 'x'.repeat(length)),
  '%41'.repeat(400),
]
