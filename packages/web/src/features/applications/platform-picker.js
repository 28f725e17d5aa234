import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Checkbox, Input } from '@mantine/core';
import { useState } from 'react';
import { platformGroups, platforms } from '../../text/platforms.ts';
import { PlatformIcon } from '../../ui/platform-icon.tsx';
import classes from './platform-picker.module.css';
const common = new Set(['android', 'ios', 'windows', 'macos', 'linux']);
/** Selects platforms. Shows the most common and the selected ones first, and the others on request. */
export function PlatformPicker({ value, onChange, error, canEdit = true }) {
    // A platform does not disappear when it is deselected.
    const [first] = useState(() => new Set([...(canEdit ? common : []), ...value]));
    const [showsAll, setShowsAll] = useState(false);
    const groups = showsAll
        ? platformGroups
        : [{ label: 'Platforms', platforms: platforms.filter(({ identifier }) => first.has(identifier)) }];
    return (_jsxs(Input.Wrapper, { label: "Platforms", labelElement: "div", error: error, children: [groups.map(({ label, platforms: shown }) => (_jsxs("div", { role: "group", "aria-label": label, children: [showsAll && _jsx("div", { className: classes.group, children: label }), _jsx("div", { className: classes.grid, children: shown.map((platform) => {
                            const { identifier, name } = platform;
                            const isSelected = value.includes(identifier);
                            return (_jsxs("label", { className: classes.option, "data-selected": isSelected || undefined, children: [_jsx(PlatformIcon, { platform: platform, size: 20 }), _jsx("span", { className: classes.name, children: name }), _jsx(Checkbox, { size: "xs", checked: isSelected, disabled: !canEdit, onChange: () => onChange(isSelected ? value.filter((each) => each !== identifier) : [...value, identifier]) })] }, identifier));
                        }) })] }, label))), canEdit && (_jsx(Button, { variant: "subtle", size: "xs", mt: 4, "aria-expanded": showsAll, onClick: () => setShowsAll(!showsAll), children: showsAll ? 'Show fewer platforms' : 'Show all platforms' }))] }));
}
