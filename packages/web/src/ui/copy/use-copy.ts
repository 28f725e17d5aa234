import { useEffect, useState } from 'react'
import { showFailure } from '../toast.tsx'
import { copyText } from './copy-text.ts'

const copiedMs = 1_500

/** Returns a function that copies the value, and whether it has just done so. */
export function useCopy(value: string): { copied: boolean; copy: () => void } {
  const [copiedAt, setCopiedAt] = useState<number>()
  useEffect(() => {
    if (copiedAt === undefined) return undefined
    const timer = setTimeout(() => setCopiedAt(undefined), copiedMs)
    return () => clearTimeout(timer)
  }, [copiedAt])
  const copy = () => void copyText(value).then(() => setCopiedAt(Date.now()), showFailure)
  return { copied: copiedAt !== undefined, copy }
}
