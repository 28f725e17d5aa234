import { Button, Text } from '@mantine/core'
import { type ReactNode } from 'react'
import { ApplicationIcon } from '../ui/application-icon.tsx'
import { RankedBars } from '../ui/charts/ranked-bars.tsx'
import { Sparkline } from '../ui/charts/sparkline.tsx'
import { StackedArea } from '../ui/charts/stacked-area.tsx'
import { StackedBars } from '../ui/charts/stacked-bars.tsx'
import { CommandLine } from '../ui/command-line.tsx'
import { Copyable } from '../ui/copyable.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Fact, FactList } from '../ui/fact-list.tsx'
import { RelativeTime } from '../ui/format/relative-time.tsx'
import { PasswordField } from '../ui/forms/password-field.tsx'
import { SearchField } from '../ui/forms/search-field.tsx'
import { SettingsSection } from '../ui/forms/settings-section.tsx'
import { Hint } from '../ui/hint.tsx'
import { IconHome, IconKey } from '../ui/icons/icons.ts'
import { Item, ItemList } from '../ui/item-list.tsx'
import { JsonView } from '../ui/json-view.tsx'
import { FailureBanner } from '../ui/loading/failure-banner.tsx'
import { LoadMore } from '../ui/loading/load-more.tsx'
import { MoreButton } from '../ui/loading/more-button.tsx'
import { BackLink } from '../ui/navigation/back-link.tsx'
import { ButtonLink } from '../ui/navigation/button-link.tsx'
import { IconLink } from '../ui/navigation/icon-link.tsx'
import { PageHeader } from '../ui/navigation/page-header.tsx'
import { SideNavLink } from '../ui/navigation/side-nav-link.tsx'
import { Notice } from '../ui/notice.tsx'
import { QrCode } from '../ui/phone/qr-code.tsx'
import { PlatformIcon } from '../ui/platform-icon.tsx'
import { Section } from '../ui/section.tsx'
import { LabelDot } from '../ui/status/label-dot.tsx'
import { StateBadge } from '../ui/status/state-badge.tsx'
import { StatusDot } from '../ui/status/status-dot.tsx'
import type { Column } from '../ui/table/column.ts'
import { DataTable } from '../ui/table/data-table.tsx'
import { showDone, showFailure, showUndo } from '../ui/toast.tsx'
import { Dialogs, Editor, Filter, menu, notes, Notes, refusal, Scopes } from './stateful-examples.tsx'

type Part = { name: string; states: Record<string, ReactNode> }

const longText = 'A-very-long-name-without-any-place-to-break-'.repeat(4)
const platform = (identifier: string) => ({ identifier, name: identifier, short_name: identifier })

type Line = { id: number; name: string; size: string }

const lines: Line[] = ['2.14.0', '2.13.1', longText].map((name, id) => ({ id, name, size: `${id + 1} MB` }))
const columns: Column<Line, 'name'>[] = [
  { id: 'name', label: 'Name', width: 'minmax(0, 2fr)', sortBy: 'name', cell: ({ name }) => name },
  { id: 'size', label: 'Size', width: '5rem', isAtEnd: true, cell: ({ size }) => size },
]
const table = { label: 'Example', columns, keyOf: ({ id }: Line) => String(id), rows: lines }

const chart = {
  label: 'Example',
  series: [
    { name: 'stable', values: [1, 3, 2] },
    { name: 'nightlies', values: [2, 2, 5] },
  ],
  format: String,
  height: 160,
}
const days = ['2026-01-01', '2026-01-02', '2026-01-03']

/** Every part in `ui/`, each in all of its states. */
export const parts: readonly Part[] = [
  {
    name: 'Notice',
    states: Object.fromEntries(
      (['info', 'good', 'warn', 'bad', 'offline', 'off'] as const).map((kind) => [
        kind,
        <Notice
          key={kind}
          kind={kind}
          title="What has happened"
          action={<Button size="xs">Deal with it</Button>}
        >
          What follows from it.
        </Notice>,
      ]),
    ),
  },
  {
    name: 'Notice without a title',
    states: {
      warn: <Notice kind="warn">A short remark.</Notice>,
      'own icon': (
        <Notice kind="good" icon={<IconKey size={18} />}>
          {longText}
        </Notice>
      ),
    },
  },
  {
    name: 'FailureBanner',
    states: {
      'of the server': <FailureBanner error={refusal} onRetry={() => {}} />,
      unexpected: <FailureBanner error={new Error('Unexpected.')} />,
    },
  },
  {
    name: 'DataTable',
    states: {
      rows: <DataTable {...table} order={{ sort_by: 'name', sort: 'asc' }} onSort={() => {}} />,
      'selected and active': (
        <DataTable {...table} isSelected={({ id }) => id === 0} isActive={({ id }) => id === 1} />
      ),
      loading: <DataTable {...table} rows={undefined} />,
      stale: <DataTable {...table} isStale />,
      'hidden head': <DataTable {...table} isHeadHidden isCompact />,
    },
  },
  {
    name: 'LoadMore',
    states: {
      idle: <LoadMore query={more(false)}>Show more builds</LoadMore>,
      loading: <LoadMore query={more(true)}>Show more builds</LoadMore>,
    },
  },
  {
    name: 'ItemList',
    states: {
      items: (
        <ItemList label="Items">
          <Item
            leading={<IconKey size={18} />}
            title="Title"
            detail={<span>Detail</span>}
            end="End"
            menu={menu()}
          />
          <Item title={longText} detail={<span>{longText}</span>} menu={menu()} />
          <Item title="Revoked" isMuted>
            More about it
          </Item>
        </ItemList>
      ),
    },
  },
  {
    name: 'EmptyState',
    states: {
      'with an action': (
        <EmptyState
          icon={<IconHome size={22} />}
          title="No builds yet"
          action={<CommandLine code="quayside upload app.apk" />}
        >
          Upload the first one.
        </EmptyState>
      ),
    },
  },
  { name: 'Dialogs', states: { each: <Dialogs /> } },
  {
    name: 'Toasts',
    states: {
      each: (
        <Button.Group>
          <Button onClick={() => showDone('Stream created.')}>Done</Button>
          <Button onClick={() => showUndo('1 member removed.', () => {})}>Undo</Button>
          <Button onClick={() => showFailure(refusal)}>Failure</Button>
        </Button.Group>
      ),
    },
  },
  {
    name: 'Notes',
    states: {
      empty: <Notes value={null} />,
      'read only': <Notes value={notes} canWrite={false} />,
      written: <Notes value={notes} />,
    },
  },
  {
    name: 'MarkdownEditor',
    states: { error: <Editor error="The notes are too long." />, usual: <Editor /> },
  },
  {
    name: 'Fields',
    states: {
      SearchField: (
        <SearchField
          label="builds"
          placeholder="Version…"
          value=""
          onChange={() => {}}
          isListSearch={false}
        />
      ),
      PasswordField: <PasswordField label="Password" name="password" />,
      FilterMenu: <Filter />,
      ScopePicker: <Scopes />,
    },
  },
  {
    name: 'Headers and sections',
    states: {
      PageHeader: <PageHeader title="Builds" facts="12 builds" icon={icon()} actions={<MoreButton />} />,
      Section: (
        <Section title="Notes" actions={<Button size="compact-sm">Edit</Button>}>
          Content
        </Section>
      ),
      SettingsSection: (
        <SettingsSection title="Emails" description="What it is about." action={<Button>Add</Button>}>
          Content
        </SettingsSection>
      ),
    },
  },
  {
    name: 'Links',
    states: {
      BackLink: <BackLink to="/">Home</BackLink>,
      ButtonLink: <ButtonLink to="/">Go to Home</ButtonLink>,
      IconLink: (
        <IconLink to="/" label="Home">
          <IconHome size={18} />
        </IconLink>
      ),
      SideNavLink: (
        <SideNavLink to="/" icon={<IconHome size={18} />}>
          Home
        </SideNavLink>
      ),
    },
  },
  {
    name: 'Facts',
    states: {
      FactList: (
        <FactList>
          <Fact name="Version">2.14.0</Fact>
          <Fact name="Missing">{null}</Fact>
        </FactList>
      ),
      Copyable: <Copyable value="01k9z3" label="ID" mono />,
      CommandLine: <CommandLine code={`quayside upload ${longText}.apk`} />,
      JsonView: <JsonView label="Example" text='{"id":"01k9z3","size":12,"ok":true}' />,
      Hint: (
        <Hint label="A hint">
          <Text span>Hover here</Text>
        </Hint>
      ),
      RelativeTime: <RelativeTime time="2026-01-01T00:00:00Z" />,
    },
  },
  {
    name: 'States',
    states: {
      StateBadge: (['good', 'warn', 'bad', 'neutral'] as const).map((tone) => (
        <StateBadge key={tone} tone={tone}>
          {tone}
        </StateBadge>
      )),
      StatusDot: (['good', 'warn', 'bad', 'off', 'new'] as const).map((tone) => (
        <StatusDot key={tone} tone={tone} />
      )),
      LabelDot: <LabelDot name="hotfix" color="#d64545" />,
    },
  },
  {
    name: 'Charts',
    states: {
      Sparkline: <Sparkline values={[1, 3, 2]} label="Example" />,
      RankedBars: (
        <RankedBars label="Example" entries={[{ name: 'stable', value: 3, color: 'var(--q-accent)' }]} />
      ),
      StackedArea: <StackedArea {...chart} days={days} />,
      StackedBars: <StackedBars {...chart} periods={days} />,
    },
  },
  {
    name: 'Pictures',
    states: {
      ApplicationIcon: icon(),
      PlatformIcon: ['android', 'ios', 'macos', 'windows', 'linux', 'unknown'].map((name) => (
        <PlatformIcon key={name} platform={platform(name)} />
      )),
      QrCode: <QrCode text="https://example.com" label="Example" />,
    },
  },
]

function more(isFetchingNextPage: boolean) {
  return { hasNextPage: true, isFetchingNextPage, fetchNextPage: () => Promise.reject(refusal) }
}

function icon() {
  return <ApplicationIcon name="Wayfern" url={null} size={40} />
}
