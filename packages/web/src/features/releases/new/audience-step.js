import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Checkbox, Skeleton, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../../api/session.ts';
import { releaseText } from '../../../text/release.ts';
import { plural } from '../../../ui/bytes.ts';
import { Section } from '../../../ui/section.tsx';
import { groupsQuery } from '../../groups/group.queries.ts';
import { portalsQuery } from '../../portals/portal.queries.ts';
import classes from './new-release-form.module.css';
/** Chooses the groups and portals of a new release. Shows only what the person may change. */
export function AudienceStep({ applicationId, values, set }) {
    const { can } = useSession();
    const canGroups = can('distribution_groups:write');
    const canPortals = can('portals:write');
    if (!canGroups && !canPortals)
        return null;
    return (_jsxs(Section, { title: "3. Audience", children: [canGroups && _jsx(Groups, { values: values, set: set }), canPortals && _jsx(Portals, { applicationId: applicationId, values: values, set: set })] }));
}
function Groups({ values: { groups }, set }) {
    const { data } = useQuery(groupsQuery);
    if (data === undefined)
        return _jsx(Skeleton, { height: 96, radius: "lg" });
    if (data.length === 0)
        return (_jsxs(Text, { fz: "sm", c: "dimmed", children: [releaseText.audience.groupsHelp, " ", _jsx(Link, { to: "/groups", children: "Create a group" })] }));
    const change = (id, notify) => {
        const next = new Map(groups);
        if (notify === undefined)
            next.delete(id);
        else
            next.set(id, notify);
        set({ groups: next });
    };
    return (_jsxs(_Fragment, { children: [_jsx(Text, { fz: "sm", c: "dimmed", mb: "xs", children: releaseText.audience.groupsHelp }), _jsx("ul", { className: classes.options, children: data.map((group) => (_jsxs("li", { className: classes.option, children: [_jsx(Checkbox, { label: group.name, description: describe(group), checked: groups.has(group.id), onChange: (event) => change(group.id, event.currentTarget.checked ? group.is_active : undefined) }), groups.has(group.id) && group.is_active && (_jsx(Switch, { label: "Notify", "aria-label": `Notify ${group.name}`, checked: groups.get(group.id) === true, onChange: (event) => change(group.id, event.currentTarget.checked) }))] }, group.id))) })] }));
}
const describe = ({ tester_count: members, is_active: isActive }) => isActive ? plural(members, 'member') : releaseText.audience.inactive;
function Portals({ applicationId, values: { portals }, set }) {
    const { data = [] } = useQuery(portalsQuery);
    const own = data.flatMap(({ id, name, type, applications }) => {
        const mode = applications.find((each) => each.id === applicationId)?.releases_mode;
        return mode === undefined || mode === 'none' ? [] : [{ id, name, type, mode }];
    });
    if (own.length === 0)
        return null;
    return (_jsxs(_Fragment, { children: [_jsx(Text, { fz: "sm", c: "dimmed", mt: "md", mb: "xs", children: releaseText.audience.portalsHelp }), _jsx("ul", { className: classes.options, children: own.map(({ id, name, type, mode }) => (_jsx("li", { className: classes.option, children: _jsx(Checkbox, { label: name, description: `${type === 'public' ? 'Public' : 'Private'}${mode === 'all' ? ` · ${releaseText.audience.modes.all}` : ''}`, checked: mode === 'all' || portals.includes(id), disabled: mode === 'all', onChange: (event) => set({
                            portals: event.currentTarget.checked
                                ? [...portals, id]
                                : portals.filter((each) => each !== id),
                        }) }) }, id))) })] }));
}
