const names: Readonly<Record<number, string>> = {
  19: '4.4',
  21: '5.0',
  22: '5.1',
  23: '6.0',
  24: '7.0',
  25: '7.1',
  26: '8.0',
  27: '8.1',
  28: '9',
  29: '10',
  30: '11',
  31: '12',
  32: '12L',
  33: '13',
  34: '14',
  35: '15',
  36: '16',
}

/** Returns the name of the Android version with an API level, such as `Android 8.0`, or the API level if it is unknown. */
export const androidVersionName = (api: number): string =>
  names[api] === undefined ? `Android API ${api}` : `Android ${names[api]}`

const apis = new Map(Object.entries(names).map(([api, name]) => [name, Number(api)]))

/** Returns the API level of a version, such as `14`, `14.0.0` or `8.1`, or undefined if it is unknown. */
export function androidApiOf(version: string): number | undefined {
  if (version.startsWith('12.1')) return apis.get('12L')
  const [major = '', minor = '0'] = version.split('.')
  return apis.get(Number(major) < 9 ? `${major}.${minor}` : major)
}
