/** Returns the components of a CycloneDX or SPDX document in JSON; undefined if the text is neither. */
export function parseSbom(text) {
    const document = parseJson(text);
    if (!isRecord(document))
        return undefined;
    if (document['bomFormat'] === 'CycloneDX')
        return {
            title: `CycloneDX ${textOf(document['specVersion'])}`,
            components: listOf(document['components']).map(cycloneDxComponent).toSorted(byName),
        };
    if (typeof document['spdxVersion'] !== 'string')
        return undefined;
    return {
        title: document['spdxVersion'].replace('-', ' '),
        components: listOf(document['packages']).map(spdxPackage).toSorted(byName),
    };
}
const byName = (a, b) => a.name.localeCompare(b.name);
function cycloneDxComponent(component) {
    const licenses = listOf(component['licenses']).map((choice) => {
        const license = choice['license'];
        return isRecord(license) ? textOf(license['id'] ?? license['name']) : textOf(choice['expression']);
    });
    const group = textOf(component['group']);
    return {
        name: group === '' ? textOf(component['name']) : `${group}/${textOf(component['name'])}`,
        version: textOf(component['version']),
        licenses: licenses.filter((license) => license !== '').join(', '),
        url: textOf(component['purl']),
    };
}
function spdxPackage(found) {
    const license = [found['licenseConcluded'], found['licenseDeclared']]
        .map(textOf)
        .find((text) => text !== '' && text !== 'NOASSERTION');
    const reference = listOf(found['externalRefs']).find(({ referenceType }) => referenceType === 'purl');
    return {
        name: textOf(found['name']),
        version: textOf(found['versionInfo']),
        licenses: license ?? '',
        url: textOf(reference?.['referenceLocator']),
    };
}
function parseJson(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value) => Array.isArray(value) ? value.filter(isRecord) : [];
const textOf = (value) => typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
