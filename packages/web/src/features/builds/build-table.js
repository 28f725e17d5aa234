import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Checkbox, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { BuildCard } from './build-card.tsx';
import { allColumns } from './build-columns.ts';
import { BuildRow } from './build-row.tsx';
import classes from './build-table.module.css';
import { defaultOrder } from './build.queries.ts';
/** Draws only the rows near the visible part of the list; each keeps its place while others load. */
export function BuildTable(props) {
    const { applicationId, total, isStale, columns, template, virtualizer, bodyRef, buildAt, selected } = props;
    const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
    return (_jsxs("div", { role: "table", "aria-label": "Builds", "aria-rowcount": total + 1, className: `${classes.table} ${selected.size > 0 ? classes.selecting : ''}`, style: { '--build-columns': template }, children: [!isPhone && _jsx(Head, { ...props }), _jsx("div", { role: "rowgroup", ref: bodyRef, className: `${classes.body} ${isStale ? classes.stale : ''}`, style: { height: virtualizer.getTotalSize() }, children: virtualizer.getVirtualItems().map(({ index, start }) => {
                    const build = buildAt(index);
                    const row = {
                        applicationId,
                        build,
                        position: index,
                        isSelected: build !== undefined && selected.has(build.id),
                        isActive: props.activeRow === index,
                        onSelect: props.onSelect,
                    };
                    return (_jsx("div", { className: classes.slot, style: { transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }, children: isPhone ? _jsx(BuildCard, { ...row }) : _jsx(BuildRow, { ...row, columns: columns }) }, index));
                }) })] }));
}
function Head({ columns, search, selected, areAllSelected, onSelectAll, onChange }) {
    const order = {
        ...defaultOrder,
        ...(search.sort_by && { sort_by: search.sort_by, sort: search.sort ?? 'asc' }),
    };
    return (_jsx("div", { role: "rowgroup", className: classes.head, children: _jsxs("div", { role: "row", "aria-rowindex": 1, className: classes.headRow, children: [_jsx("span", { role: "columnheader", children: _jsx(Checkbox, { size: "xs", "aria-label": "Select all loaded builds", checked: areAllSelected, indeterminate: selected.size > 0 && !areAllSelected, onChange: onSelectAll }) }), _jsx("span", { role: "columnheader", "aria-label": "Platform" }), _jsx(SortHeader, { label: "Version", sortBy: "version", order: order, onChange: onChange }), allColumns
                    .filter(({ id }) => columns.includes(id))
                    .map(({ id, label, sortBy }) => sortBy === undefined ? (_jsx("span", { role: "columnheader", children: label }, id)) : (_jsx(SortHeader, { label: label, sortBy: sortBy, order: order, onChange: onChange }, id))), _jsx("span", { role: "columnheader", "aria-label": "Actions" })] }) }));
}
/** Sorts by a column, the other way round on the second click. An age is sorted by the time of creation. */
function SortHeader({ label, sortBy, order, onChange }) {
    const isSorted = order.sort_by === sortBy;
    const next = isSorted && order.sort === 'desc' ? 'asc' : 'desc';
    const Arrow = order.sort === 'asc' ? IconArrowUp : IconArrowDown;
    const state = order.sort === 'asc' ? 'ascending' : 'descending';
    return (_jsx("span", { role: "columnheader", "aria-sort": isSorted ? state : 'none', children: _jsxs(UnstyledButton, { className: classes.sort, onClick: () => onChange({ sort_by: sortBy, sort: next }), children: [label, isSorted && _jsx(Arrow, { size: 13, "aria-hidden": true })] }) }));
}
