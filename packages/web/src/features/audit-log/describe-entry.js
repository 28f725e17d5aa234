import { auditPhrases } from '../../text/audit-log.ts';
import { plural } from '../../ui/bytes.ts';
const nouns = {
    api_key: 'API key',
    application_member: 'application member',
    distribution_group: 'distribution group',
    distribution_group_member: 'group member',
    metadata_artifact: 'artifact',
    share_link: 'share link',
    trusted_publisher: 'trusted publisher',
    workspace_member: 'member',
};
const verbs = {
    'build.created': 'uploaded',
    'build.processed': 'read the package of',
};
/** Returns what was done in an entry, to be read after the name of the actor, such as "uploaded build 2.14.0". */
export function describeEntry(entry, count = 1) {
    const { lead, name } = entryParts(entry);
    if (count === 1)
        return name === undefined ? lead : `${lead} ${name}`;
    if (auditPhrases[entry.action] !== undefined)
        return `${auditPhrases[entry.action]}, ${count} times`;
    const { verb, noun } = wordsOf(entry);
    return `${verb} ${plural(count, noun)}`;
}
/** Returns the description in two parts, so that the name of the subject can be a link. */
export function entryParts(entry) {
    const name = nameIn(entry.after) ?? nameIn(entry.before);
    const phrase = auditPhrases[entry.action];
    if (phrase !== undefined)
        return { lead: phrase, name };
    const { verb, noun } = wordsOf(entry);
    return { lead: name === undefined ? `${verb} ${article(noun)} ${noun}` : `${verb} ${noun}`, name };
}
function wordsOf({ action, subject }) {
    const [type = subject.type, ...rest] = action.split('.');
    return {
        verb: verbs[action] ?? rest.join(' ').replaceAll('_', ' '),
        noun: nouns[type] ?? type.replaceAll('_', ' '),
    };
}
/** Returns the name of a resource in a snapshot. */
function nameIn(snapshot) {
    if (typeof snapshot !== 'object' || snapshot === null)
        return undefined;
    const fields = snapshot;
    for (const key of ['name', 'version', 'email', 'title', 'filename', 'url']) {
        const value = fields[key];
        if (typeof value === 'string' && value !== '')
            return value;
    }
    return undefined;
}
const article = (noun) => (/^[aeiou]|^API/.test(noun) ? 'an' : 'a');
