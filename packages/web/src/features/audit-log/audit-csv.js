const columns = [
    'created_at',
    'actor',
    'actor_kind',
    'actor_id',
    'action',
    'subject_type',
    'subject_id',
    'application_id',
    'address',
    'before',
    'after',
];
/** Returns audit entries as CSV according to RFC 4180, with a header. */
export function auditCsv(entries) {
    const rows = entries.map((entry) => {
        const { actor, subject } = entry;
        return [
            entry.created_at,
            actor.name,
            actor.kind,
            actor.id ?? '',
            entry.action,
            subject.type,
            subject.id,
            entry.application_id ?? '',
            entry.address ?? '',
            stateText(entry.before),
            stateText(entry.after),
        ];
    });
    return [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
const stateText = (state) => (state === null ? '' : JSON.stringify(state));
/** Quotes a cell. Spreadsheets run a cell that starts like a formula, which an apostrophe prevents. */
function cell(text) {
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
