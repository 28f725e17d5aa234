import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { getRouteApi } from '@tanstack/react-router';
import { auditSubjects, auditText } from '../../text/audit-log.ts';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { auditSearch } from './audit-log.search.ts';
import { EntryFeed } from './entry-feed.tsx';
import { EntryFilters } from './entry-filters.tsx';
import { ExportButton } from './export-button.tsx';
const route = getRouteApi('/console/settings');
/** Every change in the workspace. Its filters are in the URL, and the filtered entries can be exported. */
export function AuditLogSection() {
    const { section, ...rest } = route.useSearch();
    const search = auditSearch(rest);
    const navigate = route.useNavigate();
    const onChange = (change) => void navigate({ search: { section, ...search, ...change } });
    const onClear = () => void navigate({ search: { section } });
    return (_jsxs(SettingsSection, { title: "Audit log", description: auditText.auditLog, action: _jsx(ExportButton, { search: search }), children: [_jsx(EntryFilters, { search: search, onChange: onChange, onClear: onClear, subjects: Object.keys(auditSubjects), withApplications: true }), _jsx(EntryFeed, { search: search, onClear: onClear, withApplications: true })] }));
}
