import { Menu, Popover, type MenuProps, type PopoverProps } from '@mantine/core'
import {
  cloneElement,
  useCallback,
  useEffect,
  useLayoutEffect,
  useState,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
} from 'react'
import { createPortal } from 'react-dom'
import { IconExternalLink } from '../icons/icons.ts'
import { rowMenuButton } from './context-menu.ts'

type ButtonProps = {
  onClick?: (event: MouseEvent<HTMLElement>) => void
  onContextMenu?: (event: MouseEvent<HTMLElement>) => void
  'aria-haspopup'?: 'menu' | 'dialog'
  'aria-expanded'?: boolean
}

type Props = {
  button: ReactElement<ButtonProps>
  /** Returns the content. Called when it is shown. */
  children: () => ReactNode
}

/** A button that opens a menu, also with the right mouse button at the pointer. */
export function MenuButton({ button, children, ...menu }: Props & Pick<MenuProps, 'position' | 'width'>) {
  return (
    <LateDropdown button={button} kind="menu">
      {(target, state, point) => (
        <Menu {...menu} {...state} {...(point === undefined ? {} : { position: 'bottom-start' })}>
          <Menu.Target>{target}</Menu.Target>
          <Menu.Dropdown>
            {point?.url !== undefined && (
              <>
                <Menu.Item
                  component="a"
                  href={point.url}
                  target="_blank"
                  leftSection={<IconExternalLink size={16} />}
                >
                  Open in new tab
                </Menu.Item>
                <Menu.Divider />
              </>
            )}
            {children()}
          </Menu.Dropdown>
        </Menu>
      )}
    </LateDropdown>
  )
}

/** A button that opens a panel next to it. */
export function PopoverButton({ button, children, ...popover }: Props & Pick<PopoverProps, 'position'>) {
  return (
    <LateDropdown button={button} kind="dialog">
      {(target, state) => (
        <Popover {...popover} {...state} withArrow trapFocus returnFocus>
          <Popover.Target>{target}</Popover.Target>
          <Popover.Dropdown>{state.opened && children()}</Popover.Dropdown>
        </Popover>
      )}
    </LateDropdown>
  )
}

type DropdownState = { opened: boolean; onChange: (isOpen: boolean) => void }

/** The position of the pointer in the window, and the address of the link below it. */
type Point = { x: number; y: number; url: string | undefined }

/** Creates the dropdown when it is first opened, because a list has one or more in each row. */
function LateDropdown({
  button,
  kind,
  children,
}: {
  button: ReactElement<ButtonProps>
  kind: 'menu' | 'dialog'
  children: (target: ReactElement, state: DropdownState, point: Point | undefined) => ReactNode
}) {
  const [element, setElement] = useState<HTMLElement>()
  const [point, setPoint] = useState<Point>()
  const [isOpen, setIsOpen] = useState(false)
  // Mantine moves the focus when a dropdown changes from closed to open.
  const [isCreated, setIsCreated] = useState(false)
  useEffect(() => setIsCreated(element !== undefined), [element])
  const keepElement = useCallback((created: HTMLElement | null) => {
    if (created !== null) setElement(created)
  }, [])
  const openAtPointer = (event: MouseEvent<HTMLElement>) => {
    event.preventDefault()
    const { clientX: x, clientY: y, relatedTarget } = event
    setPoint({ x, y, url: relatedTarget instanceof HTMLAnchorElement ? relatedTarget.href : undefined })
    setIsOpen(true)
  }
  return (
    <>
      {cloneElement(button, {
        'aria-haspopup': kind,
        'aria-expanded': isOpen,
        onClick: (event: MouseEvent<HTMLElement>) => {
          button.props.onClick?.(event)
          setPoint(undefined)
          setElement(event.currentTarget)
          setIsOpen(!isOpen)
        },
        ...(kind === 'menu' ? { ...rowMenuButton, onContextMenu: openAtPointer } : {}),
      })}
      {point !== undefined &&
        createPortal(
          <span ref={keepElement} style={{ position: 'fixed', left: point.x, top: point.y }} />,
          document.body,
        )}
      {element !== undefined &&
        children(
          <ExistingTarget element={element} />,
          { opened: isCreated && isOpen, onChange: setIsOpen },
          point,
        )}
    </>
  )
}

type TargetProps = { element: HTMLElement; ref?: Ref<HTMLElement>; id?: string; 'aria-controls'?: string }

/** Makes an element that is already in the document the target of a dropdown. */
function ExistingTarget({ element, ref, id, 'aria-controls': controls }: TargetProps) {
  useLayoutEffect(() => {
    if (typeof ref === 'function') ref(element)
  }, [ref, element])
  useLayoutEffect(() => {
    if (id !== undefined) element.id = id
    if (controls === undefined) element.removeAttribute('aria-controls')
    else element.setAttribute('aria-controls', controls)
  }, [element, id, controls])
  return null
}
