import { useMediaQuery } from '@mantine/hooks'
import { isPhoneAtFirst } from '../api/browser.ts'

/** Returns whether the window is at most this wide, such as `48em`. Follows the width of the window. */
export function useIsNarrow(maxWidth: string): boolean {
  const atFirst = isPhoneAtFirst()
  return useMediaQuery(`(max-width: ${maxWidth})`, atFirst, {
    getInitialValueInEffect: atFirst !== undefined,
  })
}
