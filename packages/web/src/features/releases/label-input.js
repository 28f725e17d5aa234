import { jsx as _jsx } from "react/jsx-runtime";
import { TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { labelsQuery } from '../builds/build.queries.ts';
/** Chooses labels by name. A name that does not exist yet creates a label. */
export function LabelInput({ applicationId, value, onChange, error }) {
    const { data: labels = [] } = useQuery(labelsQuery(applicationId));
    return (_jsx(TagsInput, { label: "Labels", placeholder: value.length === 0 ? 'Choose or add' : '', data: labels.map(({ name }) => name), value: value, onChange: onChange, maxTags: 10, clearable: true, error: error }));
}
