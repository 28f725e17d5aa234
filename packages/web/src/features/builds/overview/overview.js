import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import classes from '../details/build-details.module.css';
import { Notes } from './notes.tsx';
import { OverviewAside } from './overview-aside.tsx';
import { PackageDetails } from './package-details.tsx';
import { Permissions } from './permissions.tsx';
import { Provenance } from './provenance.tsx';
/** What a build is: its notes, what its package says, and where it comes from. */
export function Overview({ build }) {
    return (_jsxs("div", { className: classes.columns, children: [_jsxs("div", { children: [_jsx(Notes, { build: build }), _jsx(PackageDetails, { build: build }), build.android_info !== null && (_jsx(Permissions, { build: build, permissions: build.android_info.permissions })), _jsx(Provenance, { build: build })] }), _jsx(OverviewAside, { build: build })] }));
}
