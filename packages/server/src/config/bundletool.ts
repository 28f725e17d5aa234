import type { Environment, SettingReader } from './setting-reader.ts'

/** The path of bundletool, and the keystore with the key that signs the APKs that it creates. */
export type Bundletool = {
  jar: string
  /** The folders in which `java` is searched for, in the format of `PATH`. */
  searchPath: string | undefined
  /** The keystore that signs the APKs, or undefined to leave them unsigned. */
  keystore: { path: string; password: string; alias: string } | undefined
}

const bundletoolName = 'QUAYSIDE_BUNDLETOOL'
const bundletoolKey = ['KEYSTORE', 'KEYSTORE_PASSWORD', 'KEY_ALIAS'].map(
  (name) => `${bundletoolName}_${name}`,
)

/** Returns the settings of bundletool, or undefined if it is not used. */
export function readBundletool(
  { setting, problems }: Pick<SettingReader, 'setting' | 'problems'>,
  environment: Environment,
): Bundletool | undefined {
  const [path, password, alias] = bundletoolKey.map(setting)
  const jar = setting(bundletoolName)
  const searchPath = environment['PATH']
  if (path === undefined && password === undefined && alias === undefined)
    return jar === undefined ? undefined : { jar, searchPath, keystore: undefined }
  if (path !== undefined && password !== undefined && alias !== undefined)
    return jar === undefined ? undefined : { jar, searchPath, keystore: { path, password, alias } }
  problems.push(`${bundletoolKey.join(', ')} must be set together.`)
  return undefined
}
