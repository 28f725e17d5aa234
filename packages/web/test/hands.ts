import type { Locator, Page } from 'playwright-core'

/** A person who uses one kind of input device and no other. */
export type Hand = {
  fill: (field: Locator, text: string) => Promise<void>
  press: (control: Locator) => Promise<void>
}

const maxPresses = 120

/** Clicks, and types only into the field that was clicked. */
export const mouse = (page: Page): Hand => ({
  async fill(field, text) {
    await field.click()
    await page.keyboard.insertText(text)
  },
  press: (control) => control.click(),
})

/** Taps, and types only into the field that was tapped. */
export const touch = (page: Page): Hand => ({
  async fill(field, text) {
    await field.tap()
    // The browser moves the focus some time after the touch has ended.
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.insertText(text)
  },
  press: (control) => control.tap(),
})

/** The key that uses a control with this role, if it is not Enter. */
const keys: Readonly<Record<string, string>> = { radio: 'Space', checkbox: 'Space', combobox: 'ArrowDown' }

/** The roles of controls that the arrow keys reach, with their groups. Tab leaves the groups. */
const groups: Readonly<Record<string, { group: string; key: string }>> = {
  menuitem: { group: '[role=menu]', key: 'ArrowDown' },
  radio: { group: '[role=radio]', key: 'ArrowDown' },
  tab: { group: '[role=tab]', key: 'ArrowRight' },
}

/** Moves the focus from control to control as a person does, and never sets it. */
export function keyboard(page: Page): Hand {
  const roleOf = (control: Locator) =>
    control.evaluate((element) => element.role ?? (element as HTMLInputElement).type ?? '')

  async function reach(control: Locator): Promise<void> {
    await control.waitFor()
    const found = groups[await roleOf(control)]
    for (let presses = 0; presses < maxPresses; presses++) {
      const isFocused = await control.evaluate((element) => element === document.activeElement)
      if (isFocused) return
      const isInside = (selector: string) =>
        page.evaluate((each) => (document.activeElement?.closest(each) ?? null) !== null, selector)
      await page.keyboard.press(found !== undefined && (await isInside(found.group)) ? found.key : 'Tab')
    }
    throw new Error(`The focus does not reach ${String(control)} on ${page.url()}.`)
  }

  /** Moves to an option of the list that the focused field has opened. */
  async function choose(option: Locator): Promise<void> {
    await option.waitFor()
    const isActive = () => option.evaluate((element) => element.hasAttribute('data-combobox-selected'))
    for (let presses = 0; presses < maxPresses && !(await isActive()); presses++)
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  }

  return {
    async fill(field, text) {
      await reach(field)
      await page.keyboard.type(text)
    },
    async press(control) {
      await control.waitFor()
      const role = await roleOf(control)
      if (role === 'option') return choose(control)
      await reach(control)
      await page.keyboard.press(keys[role] ?? 'Enter')
    },
  }
}
