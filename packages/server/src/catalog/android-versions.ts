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
