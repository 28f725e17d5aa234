import { hostileAndroidFiles } from './hostile/android-files.ts'
import { hostileAppleFiles } from './hostile/apple-files.ts'
import type { HostileArchive } from './hostile/bytes.ts'
import { hostileExecutables } from './hostile/executable-files.ts'
import { hostileInstallers } from './hostile/installer-files.ts'
import { hostileLinuxFiles } from './hostile/linux-files.ts'
import { hostilePackageFiles } from './hostile/package-files.ts'
import { hostileSignedFiles } from './hostile/signed-files.ts'
import { hostileWindowsFiles } from './hostile/windows-files.ts'
import { hostileZipArchives } from './hostile/zip-archives.ts'

/** Yields more than 700 files that try to make inspection crash, hang, use too much memory or leave its folder. */
export function* hostileArchives(): Generator<HostileArchive> {
  yield* hostileZipArchives()
  yield* hostileAppleFiles()
  yield* hostileAndroidFiles()
  yield* hostileWindowsFiles()
  yield* hostileLinuxFiles()
  yield* hostileSignedFiles()
  yield* hostilePackageFiles()
  yield* hostileExecutables()
  yield* hostileInstallers()
}
