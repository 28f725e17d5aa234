import type { FullBuild } from '@quayside/sdk'
import { useCallback, useEffect, useRef, useState } from 'react'
import { setCheck } from './check-store.ts'
import { compareChecksum, counterpartOf, filesOf, type CheckResult } from './files-of-build.ts'
import { hashFile } from './hash-file.ts'

export type FileCheckState = {
  file: File
  hashedBytes: number
  sha256?: string
  result?: CheckResult
  error?: string
}

/** Compares local files with a build, one at a time. */
export function useFileCheck(build: FullBuild) {
  const [state, setState] = useState<FileCheckState>()
  const controller = useRef<AbortController>(undefined)

  const clear = useCallback(() => {
    controller.current?.abort()
    setState(undefined)
  }, [])

  const start = useCallback(
    (file: File) => {
      controller.current?.abort()
      const { signal } = (controller.current = new AbortController())
      // A file of another size cannot match, so it need not be read.
      if (filesOf(build).every(({ size_bytes: size }) => size !== file.size))
        return setState({
          file,
          hashedBytes: 0,
          result: { kind: 'differs', file: counterpartOf(file, build) },
        })
      setState({ file, hashedBytes: 0 })
      hashFile(file, (hashedBytes) => setState({ file, hashedBytes }), signal).then(
        (sha256) => {
          const result = compareChecksum({ name: file.name, size: file.size, sha256 }, build)
          setState({ file, hashedBytes: file.size, sha256, result })
        },
        (error: unknown) => {
          if (signal.aborted) return
          setState({ file, hashedBytes: 0, error: error instanceof Error ? error.message : String(error) })
        },
      )
    },
    [build],
  )

  useEffect(() => {
    setCheck(start)
    return () => setCheck(undefined)
  }, [start])
  useEffect(() => () => controller.current?.abort(), [])
  return { state, start, clear }
}
