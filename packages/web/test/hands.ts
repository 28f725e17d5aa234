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

/** Moves the focus from control to control as a person does, and never sets it. */
export function keyboard(page: Page): Hand {
  async function reach(control: Locator): Promise<void> {
    await control.waitFor()
    const role = await control.getAttribute('role')
    // The arrow keys move within menus and groups of options, and Tab leaves them.
    const group = role === 'menuitem' ? '[role=menu]' : '[role=radio]'
    const isInGroup = role === 'menuitem' || role === 'radio'
    for (let presses = 0; presses < maxPresses; presses++) {
      const isFocused = await control.evaluate((element) => element === document.activeElement)
      if (isFocused) return
      const isInside = (selector: string) =>
        page.evaluate((each) => (document.activeElement?.closest(each) ?? null) !== null, selector)
      await page.keyboard.press(isInGroup && (await isInside(group)) ? 'ArrowDown' : 'Tab')
    }
    throw new Error(`The focus does not reach ${String(control)} on ${page.url()}.`)
  }
  return {
    async fill(field, text) {
      await reach(field)
      await page.keyboard.type(text)
    },
    async press(control) {
      await reach(control)
      await page.keyboard.press((await control.getAttribute('role')) === 'radio' ? 'Space' : 'Enter')
    },
  }
}
