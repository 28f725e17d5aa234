import { NativeSelect } from '@mantine/core'
import { Link, useNavigate, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import sideLink from '../navigation/side-nav-link.module.css'
import classes from './settings-layout.module.css'

type SettingsEntry = { id: string; label: string; icon: ReactNode }

type SettingsGroup = { label: string; sections: readonly SettingsEntry[] }
type PossibleGroup = { label: string; sections: readonly (SettingsEntry & { isShown: boolean })[] }

/** Returns the sections that are shown, without groups that have none. */
export const shownGroups = (groups: readonly PossibleGroup[]): SettingsGroup[] =>
  groups
    .map(({ label, sections }) => ({ label, sections: sections.filter(({ isShown }) => isShown) }))
    .filter(({ sections }) => sections.length > 0)

type Props = {
  groups: readonly SettingsGroup[]
  /** The ID of the section that is open. */
  active: string
  linkTo: (section: string) => Pick<LinkProps, 'to' | 'params' | 'search'>
  children: ReactNode
}

/** Shows one section of settings beside links to the others. On phones, a select replaces the links. */
export function SettingsLayout({ groups, active, linkTo, children }: Props) {
  const navigate = useNavigate()
  return (
    <div className={classes.layout}>
      <nav className={classes.nav} aria-label="Sections">
        {groups.map(({ label, sections }) => (
          <div key={label}>
            <div className={classes.group}>{label}</div>
            {sections.map(({ id, label: name, icon }) => (
              <Link
                key={id}
                {...linkTo(id)}
                className={sideLink.link}
                activeProps={{}}
                data-active={id === active || undefined}
                aria-current={id === active ? 'page' : undefined}
              >
                <span className={sideLink.icon}>{icon}</span>
                <span className={sideLink.text}>{name}</span>
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <NativeSelect
        className={classes.select}
        aria-label="Section"
        size="md"
        value={active}
        onChange={(event) => void navigate(linkTo(event.currentTarget.value))}
        data={groups.map(({ label, sections }) => ({
          group: label,
          items: sections.map(({ id, label: name }) => ({ value: id, label: name })),
        }))}
      />
      <div className={classes.content}>{children}</div>
    </div>
  )
}
